-- Columns.
{columns}:
a, {last}

{chosen}:
where a = :a and b = '{}'

-- The last.
{last}:
b
