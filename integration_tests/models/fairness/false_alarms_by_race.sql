-- Every group's row, for a dashboard: the same arguments as the dbt test.
{{ fairsql.group_metric_parity_results(
    ref('did_not_reoffend'),
    name='False alarms by race',
    protected_attribute_columns=['race'],
    parity_metric='rate',
    value_column='predicted_recid',
    positive_values=['1'],
    higher_is_better=false,
    p_value_adjustment='holm',
) }}
