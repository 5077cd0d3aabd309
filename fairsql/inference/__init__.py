"""Statistical inference as pure functions on plain numbers.

Nothing here knows of groups of people, of warehouses or of SQL. Each result holds 1e-9 relative
wherever a p-value is above 1e-300, with up to 1e9 rows in a cell or degrees of freedom.
"""

from __future__ import annotations

from fairsql.inference.adjustment import Adjustment, adjust_p_values
from fairsql.inference.auc import (
    bounded_auc_interval,
    bounded_auc_p_value,
    hanley_mcneil_interval,
    hanley_mcneil_p_value,
    hanley_mcneil_standard_error,
    largest_auc_standard_error,
)
from fairsql.inference.clusters import (
    ClusteredMean,
    ClusterSums,
    clustered_mean,
    clustered_p_value,
    residual_mean,
)
from fairsql.inference.counts import (
    fisher_exact,
    order_statistic_ranks,
    pooled_quantile_p_value,
    wilson_interval,
)
from fairsql.inference.distributions import (
    normal_two_sided,
    normal_two_sided_quantile,
    student_t_two_sided,
    student_t_two_sided_quantile,
)
from fairsql.inference.gaps import Gap, largest_gap
from fairsql.inference.means import (
    NO_ROWS,
    Moments,
    complements,
    merge_moments,
    t_interval,
    welch,
)
from fairsql.inference.strata import mantel_haenszel
from fairsql.inference.weighted import effective_size, two_proportion_p_value

__all__ = [
    "NO_ROWS",
    "Adjustment",
    "ClusterSums",
    "ClusteredMean",
    "Gap",
    "Moments",
    "adjust_p_values",
    "bounded_auc_interval",
    "bounded_auc_p_value",
    "clustered_mean",
    "clustered_p_value",
    "complements",
    "effective_size",
    "fisher_exact",
    "hanley_mcneil_interval",
    "hanley_mcneil_p_value",
    "hanley_mcneil_standard_error",
    "largest_auc_standard_error",
    "largest_gap",
    "mantel_haenszel",
    "merge_moments",
    "normal_two_sided",
    "normal_two_sided_quantile",
    "order_statistic_ranks",
    "pooled_quantile_p_value",
    "residual_mean",
    "student_t_two_sided",
    "student_t_two_sided_quantile",
    "t_interval",
    "two_proportion_p_value",
    "welch",
    "wilson_interval",
]
