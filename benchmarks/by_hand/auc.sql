-- The usual way to an exact AUC: collapse ties, then count the negatives below by a window.
with counted as (
    select
        {group},
        score,
        count(case when truth = 1 then 1 end) as positives,
        count(case when truth = 0 then 1 end) as negatives
    from sample
    group by {group}, score
),

ranked as (
    select
        *,
        sum(negatives) over (
            partition by {group} order by score rows unbounded preceding
        ) as negatives_so_far
    from counted
)

select
    {group},
    sum(cast(positives as double precision) * (negatives_so_far - negatives / 2.0))
    / (cast(sum(positives) as double precision) * sum(negatives)) as auc
from ranked
group by {group}
