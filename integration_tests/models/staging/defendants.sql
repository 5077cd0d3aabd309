select
    race,
    sex,
    decile_score,
    predicted_recid,
    two_year_recid,
    -- COMPAS promises no probability; this stands for one.
    decile_score / 10.0 as probability
from {{ source('court', 'compas') }}
