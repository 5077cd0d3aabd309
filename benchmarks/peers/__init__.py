"""What others compute by group, each in a program of its own: read a file, write the numbers.

    python -m benchmarks.peers.NAME TABLE.parquet NUMBERS.json

The numbers are a list of [metric, group, value]. A peer imports nothing of fairsql's.
"""
