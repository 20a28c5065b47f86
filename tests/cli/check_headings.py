#!/usr/bin/env python3
"""Every heading of src/report/text/headings.h stands in docs/user-guide.md, so that a reader can look up what a section says."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
headings = re.findall(r'^\s+X\((\w+), "([^"]+)"\)', (root / "src/report/text/headings.h").read_text(), re.M)
guide = (root / "docs/user-guide.md").read_text()
missing = [f'{name}: "{heading}"' for name, heading in headings if heading not in guide]
if len(headings) < 10:
    sys.exit(f"{len(headings)} headings found in src/report/text/headings.h, which is too few")
if missing:
    sys.exit("docs/user-guide.md does not have the headings\n  " + "\n  ".join(missing))
