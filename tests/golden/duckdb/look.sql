-- fairsql (version)
-- a look before the scan: has an attribute so many values that it is to be counted?
with source as (
    -- The first rows of the relation, up to 100000: attributes as they are.
    select
        "gender" collate C as attribute_1,
        "race" collate C as attribute_2,
        "age" as attribute_3
    from "loans"
    limit 100000
),

looked_at as (
    -- One row for each choice of attributes: how many combinations of values there are.
    select
        1 as cut,
        cast(count(*) as bigint) as combinations
    from (
        select distinct attribute_1
        from source
    ) as combinations_1
    union all
    select
        2 as cut,
        cast(count(*) as bigint) as combinations
    from (
        select distinct attribute_2, attribute_3
        from source
    ) as combinations_2
)

select *
from looked_at
order by cut asc
