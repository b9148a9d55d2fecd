"""Passwords are made once and kept; what a newer version needs besides is added to them."""

import json
import stat

from console.local.keys import Keys, keys
from console.local.place import Place


def test_they_are_made_once_and_for_their_owner_alone(tmp_path):
    place = Place(tmp_path / "data")
    place.prepare()
    made = keys(place)
    assert keys(place) == made
    kept = place.folder / "keys.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert len(set(json.loads(kept.read_text()).values())) == len(Keys.__dataclass_fields__)


def test_what_a_newer_version_needs_is_added_and_the_others_stay(tmp_path):
    place = Place(tmp_path / "data")
    place.prepare()
    made = keys(place)
    kept = place.folder / "keys.json"
    older = {name: text for name, text in json.loads(kept.read_text()).items() if name != "hotel"}
    kept.write_text(json.dumps(older))
    found = keys(place)
    assert {name: getattr(found, name) for name in older} == {name: getattr(made, name) for name in older}
    assert found.hotel
    assert found.hotel != made.hotel
    assert keys(place) == found
