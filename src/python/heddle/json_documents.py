"""What ``heddle ... --json`` prints: a JSON object with a schema and a version."""
from __future__ import annotations

import builtins
import json
import os

VERSION = 1


class DocumentError(ValueError):
    """A text that is no document of heddle, or one of a version that this package does not know."""


def loads(text: str | bytes, name: str = "the document") -> dict:
    """The document of a text. Members that this package does not know are there as well."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise DocumentError(f"{name} is no JSON: {error}") from None
    if not isinstance(document, dict) or document.get("schema") != "heddle":
        raise DocumentError(f"{name} is no document of heddle: it has no \"schema\": \"heddle\"")
    if document.get("version") != VERSION:
        raise DocumentError(f"{name} is of version {document.get('version')} of the schema, and this package reads version {VERSION}")
    return document


def load(source) -> dict:
    """The document in a file, given by its name or opened: ``heddle summary heddle.cubex --json > summary.json``."""
    if hasattr(source, "read"):
        return loads(source.read(), getattr(source, "name", "the document"))
    with builtins.open(source, "rb") as file:
        return loads(file.read(), f'"{os.fspath(source)}"')
