{{ config(materialized='ephemeral') }}

select * from {{ ref('defendants') }}
where two_year_recid = 0
