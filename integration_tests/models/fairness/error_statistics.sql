-- One scan of the defendants for many tests. Tests and results read this small table by the name
-- that each test has here, with the same arguments.
{{ fairsql.statistics(ref('defendants'), tests=[
    {
        'name': 'missed_risk_by_race',
        'protected_attribute_columns': ['race'],
        'parity_metric': 'false_omission_rate',
        'prediction_column': 'predicted_recid',
        'ground_truth_column': 'two_year_recid',
        'positive_values': ['1'],
    },
    {
        'name': 'missed_risk_by_sex',
        'protected_attribute_columns': ['sex'],
        'parity_metric': 'false_omission_rate',
        'prediction_column': 'predicted_recid',
        'ground_truth_column': 'two_year_recid',
        'positive_values': ['1'],
    },
]) }}
