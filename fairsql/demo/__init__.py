"""Data of the demo: two real data sets as CSV and a suite that tells their stories.

``README.md`` beside this file says where the data comes from, what each column means, under which
licence it stands and what it must not be used for.
"""
