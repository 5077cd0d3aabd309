-- Two quantiles by group and nothing else: no rank, no interval, no test.
select
    {group},
    quantile_cont(amount, 0.5) as median,
    quantile_cont(amount, 0.95) as p95
from sample
group by {group}
