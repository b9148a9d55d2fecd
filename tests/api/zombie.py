"""A driver that writes as if it had never stood still: it says that it is alive until that is refused, and then tries all the rest.

python -m tests.api.zombie PORT KEY RUN EFFECT ATTEMPT; prints `alive` once it is, and in the end what each of its writes came to."""

import http.client
import json
import sys
import time
from typing import Any

BETWEEN_SECONDS = 3.0  # long enough that whoever hears that it is alive can have it stand still before it says so again


def main(port: str, key: str, run: str, effect: str, attempt: str) -> None:
    """Drive with the first token, for ever."""

    def write(method: str, path: str, body: dict[str, Any], **headers: str) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=90)
        given = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "Fencing-Token": "1"}
        given |= {
            "Idempotency-Key": f"zombie-{method}-{path}"[:255],
            **{name.replace("_", "-"): said for name, said in headers.items()},
        }
        connection.request(method, f"/api/v1/{path}", json.dumps(body), given)
        answer = connection.getresponse()
        return str(json.loads(answer.read()).get("code", "done"))

    written, renewed = {}, "done"
    while renewed == "done":
        renewed = write("POST", f"runs/{run}/renew", {})
        print("alive" if renewed == "done" else "refused", flush=True)
        time.sleep(BETWEEN_SECONDS)
    state = {"schema_version": 1, "state": {"step": "old"}}
    pay = {"operation": "pay", "arguments": {"to": "bob", "amount": "1"}}
    done = {"outcome": "succeeded", "result": {"label": "L-1"}, "reference": "L-1", "evidence": "It is in my hands."}
    written["renew"] = renewed
    written["checkpoint"] = write("PUT", f"runs/{run}/checkpoint", state, If_Match='"2"')
    written["propose"] = write("POST", f"runs/{run}/effects", pay)
    written["begin"] = write("POST", f"effects/{effect}/attempts", {})
    written["withdraw"] = write("POST", f"effects/{effect}/withdraw", {})
    written["complete"] = write("POST", f"runs/{run}/complete", {})
    written["report"] = write("POST", f"attempts/{attempt}/report", done)
    print(json.dumps(written), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
