"""A request is made from templates: values stay in the place that the contract gives them, secrets in headers."""

import json
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.contracts.request import BadRequest, Exchange, MissingSecret, Rendered, Surroundings, render
from runs.contracts.request_checks import OUR_HEADERS
from runs.contracts.soundness import operation_faults
from runs.contracts.templates import BadTemplate, fill, shape, template
from runs.wire import RESERVED_HEADERS
from tests.runs.contract_documents import example, read, refund_with

AROUND = Surroundings(
    base_url="http://127.0.0.1:8701/",
    effect_key="0190b6a4-5f3c",
    effect_id="e-1",
    fence=7,
    deadline="2026-03-02T12:00:00Z",
    secrets={"bank-token": "s3cret"},
)
ARGUMENTS = {"order": "8812", "amount": "120.5", "currency": "EUR"}


def calls(**changes: Any) -> Exchange:
    """Give the refund's call, changed."""
    http = read(refund_with(**changes)).http
    assert http is not None
    return http.act


def rendered(values: dict[str, Any] = ARGUMENTS, *, around: Surroundings = AROUND, **changes: Any) -> Rendered:
    return render(calls(**changes), values, around)


def at_url(url: str, value: Any) -> str:
    return rendered({**ARGUMENTS, "order": value}, http__url="{dependency.base_url}" + url).url


def test_the_refund():
    request = rendered()
    assert (request.method, request.url) == ("POST", "http://127.0.0.1:8701/refunds")
    assert request.headers == {"Authorization": "Bearer s3cret"}
    assert request.body == b'{"amount":"120.5","currency":"EUR","order":"8812"}'
    assert (request.timeout_seconds, request.max_response_bytes) == (10.0, 65536)


def test_the_status_query():
    http = read(example("refund")).http
    assert http is not None
    assert http.status is not None
    request = render(http.status.exchange, ARGUMENTS, AROUND)
    assert (request.method, request.url, request.body) == ("GET", "http://127.0.0.1:8701/effects/0190b6a4-5f3c", None)


def test_the_same_intent_gives_the_same_bytes():
    assert rendered().body == rendered(dict(reversed(ARGUMENTS.items()))).body


def test_a_secret_is_not_shown_by_accident():
    request = rendered()
    assert request.secret_headers == {"Authorization"}
    assert "s3cret" not in repr(request)
    assert "s3cret" not in repr(AROUND)


def test_a_secret_that_is_not_set_is_named():
    with pytest.raises(MissingSecret) as refusal:
        rendered(around=Surroundings("http://bank", "k", "e", 1, "d", {}))
    assert (refusal.value.path, refusal.value.place) == (("secret", "bank-token"), "/http/headers/Authorization")


# URLs


@pytest.mark.parametrize(
    ("value", "segment"),
    [
        ("8812", "8812"),
        ("a/b", "a%2Fb"),
        ("a?b#c&d", "a%3Fb%23c%26d"),
        ("%2e%2e", "%252e%252e"),
        ("ü ☃", "%C3%BC%20%E2%98%83"),
        ("...", "..."),
    ],
)
def test_a_value_stays_in_its_segment(value, segment):
    assert at_url("/orders/{order}/lines", value) == f"http://127.0.0.1:8701/orders/{segment}/lines"


@pytest.mark.parametrize("value", ["", ".", "..", "../x", "x/..", "a/../b", "..\\x", "./x"])
def test_a_value_cannot_climb_out_of_its_segment(value):
    with pytest.raises(BadRequest) as refusal:
        at_url("/orders/{order}", value)
    assert refusal.value.path == ("arguments", "order")


def test_values_that_only_together_climb_out_are_refused():
    with pytest.raises(BadRequest):
        rendered({**ARGUMENTS, "order": ".", "currency": "."}, http__url="{dependency.base_url}/{order}{currency}/x")


def test_a_query_may_be_empty_and_is_one_value():
    assert at_url("/orders?id={order}&x=1", "") == "http://127.0.0.1:8701/orders?id=&x=1"
    url = at_url("/orders?id={order}&x=1", "1&x=2#y")
    assert parse_qs(urlsplit(url).query) == {"id": ["1&x=2#y"], "x": ["1"]}


LINES = calls(http__url="{dependency.base_url}/orders/{order}/lines")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20))
@settings(deadline=None)
def test_any_text_is_one_segment_or_refused(text):
    try:
        url = render(LINES, {**ARGUMENTS, "order": text}, AROUND).url
    except BadRequest:
        return
    parts = urlsplit(url)
    assert (parts.netloc, parts.query, parts.fragment) == ("127.0.0.1:8701", "", "")
    before, orders, segment, lines = parts.path.split("/")
    assert (before, orders, unquote(segment), lines) == ("", "orders", text, "lines")
    assert parts.path.isascii()


@pytest.mark.parametrize("value", [None, [1], {"a": 1}])
def test_what_has_no_plain_text_is_refused(value):
    with pytest.raises(BadRequest):
        at_url("/orders/{order}", value)


def test_numbers_and_truth_are_written_plainly():
    assert at_url("/orders/{order}", Decimal("1.50")).endswith("/orders/1.5")
    assert at_url("/orders/{order}", True).endswith("/orders/true")


# Headers


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\0b", "ü", "a\tb", "\x7f"])
def test_a_header_holds_one_line_of_plain_characters(value):
    with pytest.raises(BadRequest) as refusal:
        rendered({**ARGUMENTS, "order": value}, http__headers={"X-Order": "order {order}"})
    assert refusal.value.place == "/http/headers/X-Order"


def test_a_secret_with_a_line_break_is_refused_and_not_repeated():
    around = Surroundings("http://bank", "k", "e", 1, "d", {"bank-token": "s3cret\r\nX: y"})
    with pytest.raises(BadRequest) as refusal:
        rendered(around=around)
    assert "s3cret" not in str(refusal.value)


def test_headers_may_name_the_effect_and_the_deadline():
    headers = {"X-Ref": "{effect.id}/{effect.fence}", "X-Until": "{deadline}"}
    assert rendered(http__headers=headers).headers == {"X-Ref": "e-1/7", "X-Until": "2026-03-02T12:00:00Z"}


def test_what_is_set_for_every_call_is_no_contracts_business():
    assert RESERVED_HEADERS <= OUR_HEADERS


# Bodies


def test_a_lone_placeholder_keeps_the_type_of_its_value():
    properties = {"n": {"type": "number"}, "b": {"type": "boolean"}, "l": {"type": "array"}, "s": {"type": "string"}}
    arguments = example("refund").value["arguments"]
    body = {
        "n": "{n}",
        "b": "{b}",
        "l": "{l}",
        "text": "n={s}",
        "fixed": 1,
        "list": ["{n}", "x", None],
        "brace": "{{s}}",
    }
    contract: dict[str, Any] = {
        "arguments": {
            **arguments,
            "required": [*arguments["required"], "s"],
            "properties": {**arguments["properties"], **properties},
        }
    }
    request = rendered(
        {**ARGUMENTS, "n": Decimal("9007199254740993.10"), "b": True, "l": [1, {"a": None}], "s": "5"},
        **contract,
        http__body=body,
    )
    assert request.body is not None
    assert b"9007199254740993.1," in request.body
    assert json.loads(request.body, parse_float=Decimal) == {
        "n": Decimal("9007199254740993.1"),
        "b": True,
        "l": [1, {"a": None}],
        "text": "n=5",
        "fixed": 1,
        "list": [Decimal("9007199254740993.1"), "x", None],
        "brace": "{s}",
    }


def test_what_is_absent_is_left_out_and_null_is_null():
    contract: dict[str, Any] = {
        "arguments__properties__note": {"type": ["string", "null"]},
        "http__body": {"note": "{note}", "all": ["{note}", 1]},
    }
    assert rendered(ARGUMENTS, **contract).body == b'{"all":[1]}'
    assert rendered({**ARGUMENTS, "note": None}, **contract).body == b'{"all":[null,1],"note":null}'


# Templates


@pytest.mark.parametrize("text", ["{", "}", "{a", "a}", "{}", "{ a }", "{a..b}", "{{a}", "{a}}", "{a{b}}"])
def test_a_lone_brace_is_no_template(text):
    with pytest.raises(BadTemplate):
        template(text)


@given(st.text(max_size=20))
@settings(deadline=None)
def test_any_text_can_be_said_with_doubled_braces(text):
    escaped = text.replace("{", "{{").replace("}", "}}")
    assert template(escaped).text({}) == text


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(), lambda v: st.lists(v) | st.dictionaries(st.text(), v), max_leaves=8
    )
)
@settings(deadline=None)
def test_a_shape_without_placeholders_is_itself(value):
    assert fill(shape(value), {}) == value


def test_a_value_is_never_a_template():
    assert (
        rendered({**ARGUMENTS, "order": "{secret.bank-token}"}).body
        == b'{"amount":"120.5","currency":"EUR","order":"{secret.bank-token}"}'
    )


def test_the_examples_are_sound():
    assert not list(operation_faults(read(example("transfer")).value))
