"""Rows and constraints of plans, their work items, what ended them, and the files beside that."""

from compensation.models.endings import Ending, EvidenceFile
from compensation.models.items import WorkItem
from compensation.models.plans import Plan

__all__ = ["Ending", "EvidenceFile", "Plan", "WorkItem"]
