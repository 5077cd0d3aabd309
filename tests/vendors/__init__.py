"""What the warehouses' vendors say of our SQL: their grammars, their functions, their plans."""
