"""Functions that carry out effects in a worker: rates.py is awaited in the loop, books.py is called in a thread.

Workers import them by COUNTERFOIL_FUNCTIONS=examples.functions.rates,examples.functions.books; see docs/python-executor.md."""
