"""Reads the reports of Heddle and of other tools (Cube4, ``.cubex``), and what ``heddle ... --json`` prints.

    report = heddle.open("heddle.cubex")        # a Report: metrics, call paths, system tree, values, instances, causes
    document = heddle.load("summary.json")      # a dict, checked for its schema

Pure Python; numpy and pandas are used where they are installed.
"""
from .cube_archive import ReportError
from .cube_report import Report, Row, open  # pylint: disable=redefined-builtin
from .cube_tree import CallPath, Location, Metric, Node, Process, Region
from .json_documents import DocumentError, load, loads
from .report_tables import Cause, Curve, Instance, Matrix, Pair, Prediction, Statistic, unescape

__version__ = "0.2.0"
__all__ = ["CallPath", "Cause", "Curve", "DocumentError", "Instance", "Location", "Matrix", "Metric", "Node", "Pair", "Prediction", "Process", "Region",
           "Report", "ReportError", "Row", "Statistic", "load", "loads", "open", "unescape"]
