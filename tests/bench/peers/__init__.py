"""Who is measured beside whom. Each file is a program: `prepare`, `work`, and `submit`, which does what it is told."""
