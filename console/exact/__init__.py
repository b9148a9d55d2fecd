"""Exact values: strict JSON in, one canonical text out, conditions over them. Pure; imports no app, no framework."""

from console.exact.bad_json import BadJSON
from console.exact.canonical_form import canonical, digest
from console.exact.decimals import number_text
from console.exact.json_text import decode
from console.exact.value import Number, Object, Value

__all__ = ["BadJSON", "Number", "Object", "Value", "canonical", "decode", "digest", "number_text"]
