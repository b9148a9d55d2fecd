"""A real PostgreSQL and a real Valkey on this machine, from wheels, for a laptop, a demo and the tests.

Nothing here imports Django's settings: they read the environment, and this package is what sets it.
`python -m console.local` lists the commands.
"""
