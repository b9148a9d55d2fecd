from tests.cast import Company, signed_in, work


def test_every_page_opens(acme: Company) -> None:
    run = acme.run()
    effect = acme.propose(run)
    acme.propose(run, "lookup", verdict="allow")
    work("unknown", http=None)
    ann = signed_in(acme.ann)
    for path in ("/", "/approvals", f"/approvals/{effect.request_id}", "/unknown", "/runs", f"/runs/{run.pk}"):
        got = ann.get(path)
        assert got.status_code == 200, (path, got.content[:500])
