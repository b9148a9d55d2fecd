"""An agent to read: how to work with Counterfoil using nothing but Python's standard library.

api.py speaks to the server, cases.py makes up what there is to do, work.py is the agent proper: read that first."""
