#!/usr/bin/env python3
"""What names the version and its date says the same everywhere; CITATION.cff is as its format (1.2.0) asks."""
import datetime
import re

import jsonschema
import yaml

from place import Place

# Of the schema of the Citation File Format 1.2.0: what a file must have, and of the rest what this one has.
SCHEMA = {
    "type": "object",
    "required": ["cff-version", "message", "title", "authors"],
    "additionalProperties": False,
    "properties": {
        "cff-version": {"const": "1.2.0"},
        "message": {"type": "string", "minLength": 1},
        "type": {"enum": ["software", "dataset"]},
        "title": {"type": "string", "minLength": 1},
        "abstract": {"type": "string", "minLength": 1},
        "authors": {"type": "array", "minItems": 1, "uniqueItems": True, "items": {
            "type": "object", "required": ["name"], "additionalProperties": False,  # an entity, not a person
            "properties": {"name": {"type": "string", "minLength": 1}}}},
        "version": {"type": "string", "minLength": 1},
        "date-released": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"},
        "license": {"const": "BSD-3-Clause"},
        "keywords": {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "string", "minLength": 1}},
    },
}


class Texts(yaml.SafeLoader):
    """Dates and versions stay as they are written."""


Texts.yaml_implicit_resolvers = {}


def main():
    place = Place()
    text = (place.source / "CMakeLists.txt").read_text()
    version = re.search(r"^project\(heddle VERSION ([\d.]+)", text, re.M)[1]
    date = re.search(r"^set\(HEDDLE_DATE ([\d-]+)\)", text, re.M)[1]
    datetime.date.fromisoformat(date)

    citation = yaml.load((place.source / "CITATION.cff").read_text(), Loader=Texts)
    for problem in jsonschema.Draft7Validator(SCHEMA).iter_errors(citation):
        place.check(False, f"CITATION.cff: {'/'.join(map(str, problem.path))}: {problem.message}")
    place.check(citation["version"] == version, f"CITATION.cff is for {citation['version']}")
    place.check(citation["date-released"] == date, f"CITATION.cff is of {citation['date-released']}")
    holder = re.search(r"^Copyright \(c\) \d+, (.*)$", (place.source / "LICENSE").read_text(), re.M)[1]
    place.check([author["name"].lower() for author in citation["authors"]] == [holder.lower()], f"authors: {citation['authors']}")

    changes = (place.source / "CHANGELOG.md").read_text()
    released = re.findall(r"^## ([\d.]+) \(([\d-]+)\)$", changes, re.M)
    place.check(released[:1] == [(version, date)], f"CHANGELOG.md: {released}")
    python = (place.source / "src/python/heddle/__init__.py").read_text()
    place.check(f'__version__ = "{version}"' in python, "the Python package is of another version")
    for path in (place.source / "docs").rglob("*.md"):
        for name in re.findall(r"\bheddle[-_/@](\d+\.\d+\.\d+)\b", path.read_text()):
            place.check(name == version, f"{path.relative_to(place.source)}: heddle {name}")
    place.end()


main()
