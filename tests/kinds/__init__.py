"""The tests besides group metric parity, held against rows and against other libraries."""
