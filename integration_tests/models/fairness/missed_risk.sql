-- Read from the statistics, not from the defendants.
{{ fairsql.group_metric_parity_results(
    ref('error_statistics'),
    statistics_of='missed_risk_by_race',
    name='Missed risk by race',
    protected_attribute_columns=['race'],
    parity_metric='false_omission_rate',
    prediction_column='predicted_recid',
    ground_truth_column='two_year_recid',
    positive_values=['1'],
) }}
