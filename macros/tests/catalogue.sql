{# Generated from the Python catalogue by tools/generate_macro_catalogue.py; do not edit.
   What every metric reads and computes, which measurements there are, and each argument's type,
   bounds and default. #}
{% macro catalogue() %}
    {{- return({
        "metrics": {
            "auc": {
                "name": "auc",
                "family": "concordance",
                "quantity": "concordance",
                "inputs": {
                    "score_column": "number",
                    "ground_truth_column": "label"
                },
                "direction": "higher",
                "label_input": "ground_truth_column",
                "probability": false,
                "squared": false,
                "part": none,
                "whole": [],
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "overall_comparable": false,
                "statistics": [
                    "positives",
                    "negatives",
                    "concordant"
                ]
            },
            "log_loss": {
                "name": "log_loss",
                "family": "moments",
                "quantity": "log_loss",
                "inputs": {
                    "probability_column": "probability",
                    "ground_truth_column": "label"
                },
                "direction": "lower",
                "label_input": "ground_truth_column",
                "probability": true,
                "squared": true,
                "part": none,
                "whole": [],
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "overall_comparable": true,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ]
            },
            "brier": {
                "name": "brier",
                "family": "moments",
                "quantity": "squared_probability_error",
                "inputs": {
                    "probability_column": "probability",
                    "ground_truth_column": "label"
                },
                "direction": "lower",
                "label_input": "ground_truth_column",
                "probability": true,
                "squared": true,
                "part": none,
                "whole": [],
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "overall_comparable": true,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ]
            },
            "npv": {
                "name": "npv",
                "family": "cells",
                "quantity": "cell",
                "inputs": {
                    "prediction_column": "label",
                    "ground_truth_column": "label"
                },
                "direction": "higher",
                "label_input": "ground_truth_column",
                "probability": false,
                "squared": false,
                "part": "tn",
                "whole": [
                    "tn",
                    "fn"
                ],
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "overall_comparable": true,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ]
            },
            "false_omission_rate": {
                "name": "false_omission_rate",
                "family": "cells",
                "quantity": "cell",
                "inputs": {
                    "prediction_column": "label",
                    "ground_truth_column": "label"
                },
                "direction": "lower",
                "label_input": "ground_truth_column",
                "probability": false,
                "squared": false,
                "part": "fn",
                "whole": [
                    "tn",
                    "fn"
                ],
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "overall_comparable": true,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ]
            },
            "mae": {
                "name": "mae",
                "family": "moments",
                "quantity": "absolute_error",
                "inputs": {
                    "prediction_column": "number",
                    "ground_truth_column": "number"
                },
                "direction": "lower",
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": none,
                "whole": [],
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "overall_comparable": true,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ]
            },
            "rmse": {
                "name": "rmse",
                "family": "moments",
                "quantity": "squared_error",
                "inputs": {
                    "prediction_column": "number",
                    "ground_truth_column": "number"
                },
                "direction": "lower",
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": none,
                "whole": [],
                "root": true,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "overall_comparable": true,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ]
            },
            "r2": {
                "name": "r2",
                "family": "determination",
                "quantity": "determination",
                "inputs": {
                    "prediction_column": "number",
                    "ground_truth_column": "number"
                },
                "direction": "higher",
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": none,
                "whole": [],
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": false,
                "overall_comparable": false,
                "statistics": [
                    "mean",
                    "truth_mean",
                    "truth_m2",
                    "truth_minimum",
                    "truth_maximum"
                ]
            },
            "mean": {
                "name": "mean",
                "family": "moments",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": none,
                "whole": [],
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "overall_comparable": true,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ]
            },
            "median": {
                "name": "median",
                "family": "quantile",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": none,
                "whole": [],
                "root": false,
                "numerator": 1,
                "denominator": 2,
                "has_p_value": true,
                "overall_comparable": true,
                "statistics": [
                    "quantile",
                    "lower",
                    "upper",
                    "pooled_quantile",
                    "above",
                    "at_or_above",
                    "second_rows",
                    "second_above",
                    "second_at_or_above"
                ]
            },
            "p95": {
                "name": "p95",
                "family": "quantile",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": none,
                "whole": [],
                "root": false,
                "numerator": 19,
                "denominator": 20,
                "has_p_value": true,
                "overall_comparable": true,
                "statistics": [
                    "quantile",
                    "lower",
                    "upper",
                    "pooled_quantile",
                    "above",
                    "at_or_above",
                    "second_rows",
                    "second_above",
                    "second_at_or_above"
                ]
            },
            "rate": {
                "name": "rate",
                "family": "positives",
                "quantity": "positive",
                "inputs": {
                    "value_column": "label"
                },
                "direction": none,
                "label_input": "value_column",
                "probability": false,
                "squared": false,
                "part": "positives",
                "whole": [
                    "evaluated"
                ],
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "overall_comparable": true,
                "statistics": [
                    "positives"
                ]
            }
        },
        "input_columns": [
            "score_column",
            "probability_column",
            "prediction_column",
            "ground_truth_column",
            "value_column"
        ],
        "measurements": [
            "failing_group_count",
            "failing_group_percentage",
            "min_metric_ratio",
            "max_metric_difference",
            "worst_group_value",
            "significant_disparity_count",
            "insufficient_group_count",
            "missing_attribute_rate",
            "min_group_share",
            "undefined_group_count"
        ],
        "operators": [
            ">",
            ">=",
            "<",
            "<=",
            "is",
            "!="
        ],
        "parameters": {
            "protected_attribute_columns": {
                "type": "array",
                "default": none,
                "fewest": 1,
                "at_most_items": 3
            },
            "parity_metric": {
                "type": "string",
                "default": none,
                "choices": [
                    "auc",
                    "log_loss",
                    "brier",
                    "npv",
                    "false_omission_rate",
                    "mae",
                    "rmse",
                    "r2",
                    "mean",
                    "median",
                    "p95",
                    "rate"
                ]
            },
            "score_column": {
                "type": "string",
                "default": none
            },
            "probability_column": {
                "type": "string",
                "default": none
            },
            "prediction_column": {
                "type": "string",
                "default": none
            },
            "ground_truth_column": {
                "type": "string",
                "default": none
            },
            "value_column": {
                "type": "string",
                "default": none
            },
            "positive_values": {
                "type": "array",
                "default": none,
                "fewest": 1
            },
            "higher_is_better": {
                "type": "boolean",
                "default": none
            },
            "comparison": {
                "type": "string",
                "default": "reference",
                "choices": [
                    "reference",
                    "overall"
                ]
            },
            "reference_strategy": {
                "type": "string",
                "default": "highest",
                "choices": [
                    "highest",
                    "named"
                ]
            },
            "reference_value": {
                "type": "scalar",
                "default": none
            },
            "min_ratio": {
                "type": "number",
                "default": 0.8,
                "most": 1,
                "above": 0
            },
            "max_difference": {
                "type": "number",
                "default": none,
                "least": 0
            },
            "significance_test": {
                "type": "string",
                "default": "auto",
                "choices": [
                    "auto",
                    "none"
                ]
            },
            "alpha": {
                "type": "number",
                "default": 0.05,
                "above": 0,
                "below": 1
            },
            "p_value_adjustment": {
                "type": "string",
                "default": "none",
                "choices": [
                    "none",
                    "holm",
                    "benjamini_hochberg",
                    "holm_all_pairs"
                ]
            },
            "require_significance": {
                "type": "boolean",
                "default": false
            },
            "min_group_size": {
                "type": "integer",
                "default": 30,
                "least": 1,
                "most": 9223372036854775807
            },
            "min_group_share": {
                "type": "number",
                "default": 0.02,
                "least": 0,
                "most": 1
            },
            "missing_attribute_values": {
                "type": "array",
                "default": []
            },
            "min_reported_rows": {
                "type": "integer",
                "default": 1,
                "least": 1,
                "most": 9223372036854775807
            },
            "timestamp_column": {
                "type": "string",
                "default": none
            },
            "evaluation_window": {
                "type": "integer",
                "default": none,
                "least": 1,
                "most": 3155760000
            },
            "delay_window": {
                "type": "integer",
                "default": 0,
                "least": 0,
                "most": 3155760000
            }
        }
    }) -}}
{% endmacro %}
