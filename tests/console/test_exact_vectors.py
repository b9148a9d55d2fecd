"""The published vectors of canonical form cf1 (docs/canonical-form-vectors.json) are true."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from console.exact import BadJSON, canonical, decode, digest
from console.exact.bad_json import CODES
from console.exact.canonical_form import FORM

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED: dict[str, Any] = json.loads((ROOT / "docs/canonical-form-vectors.json").read_text())


def names(vectors: list[dict[str, Any]]) -> list[str]:
    return [vector["name"] for vector in vectors]


def test_the_vectors_are_of_this_form():
    assert PUBLISHED["form"] == FORM
    assert len(PUBLISHED["vectors"]) >= 30
    assert {refused["code"] for refused in PUBLISHED["refused"]} == CODES - {"not_exact"}


@pytest.mark.parametrize("vector", PUBLISHED["vectors"], ids=names(PUBLISHED["vectors"]))
def test_a_value_has_its_canonical_text_and_digest(vector):
    value = decode(vector["json"].encode())
    assert canonical(value) == vector["canonical"]
    assert digest(value).hex() == vector["sha256"]
    assert hashlib.sha256(vector["canonical"].encode()).hexdigest() == vector["sha256"]
    assert canonical(decode(vector["canonical"].encode())) == vector["canonical"]


@pytest.mark.parametrize("vector", PUBLISHED["refused"], ids=names(PUBLISHED["refused"]))
def test_a_bad_text_is_refused_with_its_code_and_path(vector):
    raw = bytes.fromhex(vector["hex"]) if "hex" in vector else vector["json"].encode()
    with pytest.raises(BadJSON) as refusal:
        decode(raw)
    assert (refusal.value.code, refusal.value.path) == (vector["code"], vector["path"])
