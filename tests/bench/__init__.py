"""What `make bench` measures, never asserted: how fast, how small, beside DBOS and a bare floor. See README.md beside this file."""
