{# Generated from the Python catalogue by tools/generate_macro_catalogue.py; do not edit.
   What every metric reads and computes, and for each type of test its measurements and each
   argument's type, bounds and default. #}
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
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": false,
                "standardized": false,
                "statistics": [
                    "positives",
                    "negatives",
                    "concordant"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "positives",
                    "negatives",
                    "weighted_concordant",
                    "weight_positives",
                    "weight_negatives",
                    "squared_weight_positives",
                    "squared_weight_negatives"
                ],
                "has_weighted_p_value": true,
                "method_field": "auc_method",
                "approximate_method": "binned",
                "binned_family": "binned_concordance",
                "binned_statistics": [
                    "positives",
                    "negatives",
                    "binned_concordant",
                    "same_bin_pairs"
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
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
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
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
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
                "part": [
                    "tn"
                ],
                "whole": [
                    "tn",
                    "fn"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": true,
                "method_field": none
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
                "part": [
                    "fn"
                ],
                "whole": [
                    "tn",
                    "fn"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": true,
                "method_field": none
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
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
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
                "part": [],
                "whole": [],
                "formula": none,
                "root": true,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
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
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": false,
                "has_numbers": true,
                "overall_comparable": false,
                "standardized": false,
                "statistics": [
                    "mean",
                    "truth_mean",
                    "truth_m2",
                    "truth_minimum",
                    "truth_maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "truth_mean",
                    "truth_m2",
                    "truth_minimum",
                    "truth_maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": none
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
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
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
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": 1,
                "denominator": 2,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
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
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "weighted_quantile",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": "quantile_method",
                "approximate_method": "approximate",
                "binned_family": "binned_quantile",
                "binned_statistics": [
                    "approximate_quantile",
                    "quantile_least",
                    "quantile_greatest",
                    "interval_lower",
                    "interval_upper",
                    "above_bin",
                    "from_bin",
                    "other_rows",
                    "other_above_bin",
                    "other_from_bin"
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
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": 19,
                "denominator": 20,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
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
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "weighted_quantile",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": "quantile_method",
                "approximate_method": "approximate",
                "binned_family": "binned_quantile",
                "binned_statistics": [
                    "approximate_quantile",
                    "quantile_least",
                    "quantile_greatest",
                    "interval_lower",
                    "interval_upper",
                    "above_bin",
                    "from_bin",
                    "other_rows",
                    "other_above_bin",
                    "other_from_bin"
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
                "part": [
                    "positives"
                ],
                "whole": [
                    "evaluated"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "positives"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "positives",
                    "weight_sum",
                    "squared_weight_sum",
                    "weight_positives"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "agreement": {
                "name": "agreement",
                "family": "positives",
                "quantity": "agreement",
                "inputs": {
                    "prediction_column": "class",
                    "ground_truth_column": "class"
                },
                "direction": "higher",
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": [
                    "positives"
                ],
                "whole": [
                    "evaluated"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "positives"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "positives",
                    "weight_sum",
                    "squared_weight_sum",
                    "weight_positives"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "accuracy": {
                "name": "accuracy",
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
                "part": [
                    "tp",
                    "tn"
                ],
                "whole": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "precision": {
                "name": "precision",
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
                "part": [
                    "tp"
                ],
                "whole": [
                    "tp",
                    "fp"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "recall": {
                "name": "recall",
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
                "part": [
                    "tp"
                ],
                "whole": [
                    "tp",
                    "fn"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "specificity": {
                "name": "specificity",
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
                "part": [
                    "tn"
                ],
                "whole": [
                    "tn",
                    "fp"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "false_positive_rate": {
                "name": "false_positive_rate",
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
                "part": [
                    "fp"
                ],
                "whole": [
                    "tn",
                    "fp"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "false_negative_rate": {
                "name": "false_negative_rate",
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
                "part": [
                    "fn"
                ],
                "whole": [
                    "tp",
                    "fn"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "false_discovery_rate": {
                "name": "false_discovery_rate",
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
                "part": [
                    "fp"
                ],
                "whole": [
                    "tp",
                    "fp"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "selection_rate": {
                "name": "selection_rate",
                "family": "cells",
                "quantity": "cell",
                "inputs": {
                    "prediction_column": "label",
                    "ground_truth_column": "label"
                },
                "direction": none,
                "label_input": "ground_truth_column",
                "probability": false,
                "squared": false,
                "part": [
                    "tp",
                    "fp"
                ],
                "whole": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "base_rate": {
                "name": "base_rate",
                "family": "cells",
                "quantity": "cell",
                "inputs": {
                    "prediction_column": "label",
                    "ground_truth_column": "label"
                },
                "direction": none,
                "label_input": "ground_truth_column",
                "probability": false,
                "squared": false,
                "part": [
                    "tp",
                    "fn"
                ],
                "whole": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "f1": {
                "name": "f1",
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
                "part": [],
                "whole": [],
                "formula": "f1",
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": false,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": false,
                "method_field": none
            },
            "balanced_accuracy": {
                "name": "balanced_accuracy",
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
                "part": [],
                "whole": [],
                "formula": "balanced_accuracy",
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": false,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": false,
                "method_field": none
            },
            "geometric_mean": {
                "name": "geometric_mean",
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
                "part": [],
                "whole": [],
                "formula": "geometric_mean",
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": false,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "tp",
                    "fp",
                    "fn",
                    "tn",
                    "weight_tp",
                    "weight_fp",
                    "weight_fn",
                    "weight_tn",
                    "squared_weight_tp",
                    "squared_weight_fp",
                    "squared_weight_fn",
                    "squared_weight_tn"
                ],
                "has_weighted_p_value": false,
                "method_field": none
            },
            "mse": {
                "name": "mse",
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
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "mape": {
                "name": "mape",
                "family": "moments",
                "quantity": "relative_error",
                "inputs": {
                    "prediction_column": "number",
                    "ground_truth_column": "nonzero"
                },
                "direction": "lower",
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "p5": {
                "name": "p5",
                "family": "quantile",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": 1,
                "denominator": 20,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
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
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "weighted_quantile",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": "quantile_method",
                "approximate_method": "approximate",
                "binned_family": "binned_quantile",
                "binned_statistics": [
                    "approximate_quantile",
                    "quantile_least",
                    "quantile_greatest",
                    "interval_lower",
                    "interval_upper",
                    "above_bin",
                    "from_bin",
                    "other_rows",
                    "other_above_bin",
                    "other_from_bin"
                ]
            },
            "p10": {
                "name": "p10",
                "family": "quantile",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": 1,
                "denominator": 10,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
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
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "weighted_quantile",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": "quantile_method",
                "approximate_method": "approximate",
                "binned_family": "binned_quantile",
                "binned_statistics": [
                    "approximate_quantile",
                    "quantile_least",
                    "quantile_greatest",
                    "interval_lower",
                    "interval_upper",
                    "above_bin",
                    "from_bin",
                    "other_rows",
                    "other_above_bin",
                    "other_from_bin"
                ]
            },
            "p25": {
                "name": "p25",
                "family": "quantile",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": 1,
                "denominator": 4,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
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
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "weighted_quantile",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": "quantile_method",
                "approximate_method": "approximate",
                "binned_family": "binned_quantile",
                "binned_statistics": [
                    "approximate_quantile",
                    "quantile_least",
                    "quantile_greatest",
                    "interval_lower",
                    "interval_upper",
                    "above_bin",
                    "from_bin",
                    "other_rows",
                    "other_above_bin",
                    "other_from_bin"
                ]
            },
            "p75": {
                "name": "p75",
                "family": "quantile",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": 3,
                "denominator": 4,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
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
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "weighted_quantile",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": "quantile_method",
                "approximate_method": "approximate",
                "binned_family": "binned_quantile",
                "binned_statistics": [
                    "approximate_quantile",
                    "quantile_least",
                    "quantile_greatest",
                    "interval_lower",
                    "interval_upper",
                    "above_bin",
                    "from_bin",
                    "other_rows",
                    "other_above_bin",
                    "other_from_bin"
                ]
            },
            "p90": {
                "name": "p90",
                "family": "quantile",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": 9,
                "denominator": 10,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
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
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "weighted_quantile",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": "quantile_method",
                "approximate_method": "approximate",
                "binned_family": "binned_quantile",
                "binned_statistics": [
                    "approximate_quantile",
                    "quantile_least",
                    "quantile_greatest",
                    "interval_lower",
                    "interval_upper",
                    "above_bin",
                    "from_bin",
                    "other_rows",
                    "other_above_bin",
                    "other_from_bin"
                ]
            },
            "p99": {
                "name": "p99",
                "family": "quantile",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": 99,
                "denominator": 100,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
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
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "weighted_quantile",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": "quantile_method",
                "approximate_method": "approximate",
                "binned_family": "binned_quantile",
                "binned_statistics": [
                    "approximate_quantile",
                    "quantile_least",
                    "quantile_greatest",
                    "interval_lower",
                    "interval_upper",
                    "above_bin",
                    "from_bin",
                    "other_rows",
                    "other_above_bin",
                    "other_from_bin"
                ]
            },
            "sum": {
                "name": "sum",
                "family": "moments",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": "total",
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": false,
                "has_numbers": true,
                "overall_comparable": false,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": none
            },
            "min": {
                "name": "min",
                "family": "moments",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": "minimum",
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": false,
                "has_numbers": true,
                "overall_comparable": false,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": none
            },
            "max": {
                "name": "max",
                "family": "moments",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": "maximum",
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": false,
                "has_numbers": true,
                "overall_comparable": false,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": none
            },
            "std": {
                "name": "std",
                "family": "moments",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": "standard_deviation",
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": false,
                "has_numbers": true,
                "overall_comparable": false,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": none
            },
            "variance": {
                "name": "variance",
                "family": "moments",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": "variance",
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": false,
                "has_numbers": true,
                "overall_comparable": false,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": false,
                "method_field": none
            },
            "count": {
                "name": "count",
                "family": "rows",
                "quantity": "row",
                "inputs": {},
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": [],
                "whole": [],
                "formula": "row_count",
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": false,
                "has_numbers": false,
                "overall_comparable": false,
                "standardized": false,
                "statistics": [],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": false,
                "weighted_statistics": [],
                "has_weighted_p_value": false,
                "method_field": none
            },
            "distinct_count": {
                "name": "distinct_count",
                "family": "distinct",
                "quantity": "text",
                "inputs": {
                    "value_column": "any"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": [],
                "whole": [],
                "formula": "distinct_count",
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": false,
                "has_numbers": false,
                "overall_comparable": false,
                "standardized": false,
                "statistics": [
                    "distinct_values"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": false,
                "weighted_statistics": [
                    "distinct_values"
                ],
                "has_weighted_p_value": false,
                "method_field": none
            },
            "missing_rate": {
                "name": "missing_rate",
                "family": "positives",
                "quantity": "positive",
                "inputs": {
                    "value_column": "missing"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": [
                    "positives"
                ],
                "whole": [
                    "evaluated"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": false,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "positives"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "positives",
                    "weight_sum",
                    "squared_weight_sum",
                    "weight_positives"
                ],
                "has_weighted_p_value": false,
                "method_field": none
            },
            "scoring_rate": {
                "name": "scoring_rate",
                "family": "scoring",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": false,
                "part": [
                    "positives"
                ],
                "whole": [
                    "evaluated"
                ],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "positives"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": false,
                "weighted_statistics": [
                    "positives"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "standardized_mean_difference": {
                "name": "standardized_mean_difference",
                "family": "moments",
                "quantity": "value",
                "inputs": {
                    "value_column": "number"
                },
                "direction": none,
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": true,
                "overall_comparable": false,
                "standardized": true,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "exact_match": {
                "name": "exact_match",
                "family": "moments",
                "quantity": "exact_match",
                "inputs": {
                    "output_column": "text",
                    "reference_column": "text"
                },
                "direction": "higher",
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "quasi_exact_match": {
                "name": "quasi_exact_match",
                "family": "moments",
                "quantity": "quasi_exact_match",
                "inputs": {
                    "output_column": "text",
                    "reference_column": "text"
                },
                "direction": "higher",
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "edit_distance": {
                "name": "edit_distance",
                "family": "moments",
                "quantity": "edit_distance",
                "inputs": {
                    "output_column": "text",
                    "reference_column": "text"
                },
                "direction": "lower",
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "normalized_edit_distance": {
                "name": "normalized_edit_distance",
                "family": "moments",
                "quantity": "normalized_edit_distance",
                "inputs": {
                    "output_column": "text",
                    "reference_column": "text"
                },
                "direction": "lower",
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "json_score": {
                "name": "json_score",
                "family": "moments",
                "quantity": "json_score",
                "inputs": {
                    "output_column": "text"
                },
                "direction": "higher",
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "bleu_1": {
                "name": "bleu_1",
                "family": "moments",
                "quantity": "bleu_1",
                "inputs": {
                    "output_column": "text",
                    "reference_column": "text"
                },
                "direction": "higher",
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "bleu_2": {
                "name": "bleu_2",
                "family": "moments",
                "quantity": "bleu_2",
                "inputs": {
                    "output_column": "text",
                    "reference_column": "text"
                },
                "direction": "higher",
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "bleu_3": {
                "name": "bleu_3",
                "family": "moments",
                "quantity": "bleu_3",
                "inputs": {
                    "output_column": "text",
                    "reference_column": "text"
                },
                "direction": "higher",
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "bleu_4": {
                "name": "bleu_4",
                "family": "moments",
                "quantity": "bleu_4",
                "inputs": {
                    "output_column": "text",
                    "reference_column": "text"
                },
                "direction": "higher",
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": true,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum",
                    "weight_sum",
                    "squared_weight_sum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            },
            "semantic_similarity": {
                "name": "semantic_similarity",
                "family": "moments",
                "quantity": "semantic_similarity",
                "inputs": {
                    "output_embedding_column": "embedding",
                    "reference_embedding_column": "embedding"
                },
                "direction": "higher",
                "label_input": none,
                "probability": false,
                "squared": true,
                "part": [],
                "whole": [],
                "formula": none,
                "root": false,
                "numerator": none,
                "denominator": none,
                "has_p_value": true,
                "has_numbers": false,
                "overall_comparable": true,
                "standardized": false,
                "statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "is_weighted": false,
                "is_binned": false,
                "is_weightable": false,
                "weighted_statistics": [
                    "mean",
                    "m2",
                    "minimum",
                    "maximum"
                ],
                "has_weighted_p_value": true,
                "method_field": none
            }
        },
        "input_columns": [
            "score_column",
            "probability_column",
            "prediction_column",
            "ground_truth_column",
            "value_column"
        ],
        "criteria": {
            "equalized_odds": [
                "recall",
                "false_positive_rate"
            ],
            "equal_opportunity": [
                "recall"
            ],
            "predictive_parity": [
                "precision"
            ],
            "demographic_parity": [
                "selection_rate"
            ]
        },
        "measured": {
            "answer_relevancy": {
                "metric": "mean",
                "judge": "answer_relevancy",
                "column": "score",
                "columns": {}
            },
            "answer_correctness": {
                "metric": "mean",
                "judge": "answer_correctness",
                "column": "score",
                "columns": {}
            },
            "context_precision": {
                "metric": "mean",
                "judge": "context_precision",
                "column": "score",
                "columns": {}
            },
            "context_recall": {
                "metric": "mean",
                "judge": "context_recall",
                "column": "score",
                "columns": {}
            },
            "correctness": {
                "metric": "mean",
                "judge": "correctness",
                "column": "score",
                "columns": {}
            },
            "harmfulness": {
                "metric": "mean",
                "judge": "harmfulness",
                "column": "score",
                "columns": {}
            },
            "coherence": {
                "metric": "mean",
                "judge": "coherence",
                "column": "score",
                "columns": {}
            },
            "conciseness": {
                "metric": "mean",
                "judge": "conciseness",
                "column": "score",
                "columns": {}
            },
            "maliciousness": {
                "metric": "mean",
                "judge": "maliciousness",
                "column": "score",
                "columns": {}
            },
            "faithfulness": {
                "metric": "mean",
                "judge": "faithfulness",
                "column": "score",
                "columns": {}
            },
            "bias_mean_score": {
                "metric": "mean",
                "judge": "bias",
                "column": "score",
                "columns": {}
            },
            "bias_std_score": {
                "metric": "std",
                "judge": "bias",
                "column": "score",
                "columns": {}
            },
            "applied_row_count": {
                "metric": "sum",
                "judge": "bias",
                "column": "scored",
                "columns": {}
            },
            "errored_row_count": {
                "metric": "sum",
                "judge": "bias",
                "column": "errored",
                "columns": {}
            },
            "accuracy": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "accuracy",
                "by_class": {
                    "combination": "alone",
                    "metric": "agreement"
                }
            },
            "precision": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "precision",
                "by_class": {
                    "combination": "macro",
                    "metric": "precision"
                }
            },
            "recall": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "recall",
                "by_class": {
                    "combination": "macro",
                    "metric": "recall"
                }
            },
            "specificity": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "specificity"
            },
            "false_positive_rate": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "false_positive_rate"
            },
            "false_negative_rate": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "false_negative_rate"
            },
            "false_discovery_rate": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "false_discovery_rate"
            },
            "false_omission_rate": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "false_omission_rate"
            },
            "npv": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "npv"
            },
            "f1": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "f1",
                "by_class": {
                    "combination": "macro",
                    "metric": "f1"
                }
            },
            "balanced_accuracy": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "balanced_accuracy"
            },
            "geometric_mean": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "geometric_mean",
                "by_class": {
                    "combination": "macro",
                    "metric": "geometric_mean"
                }
            },
            "selection_rate": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "selection_rate"
            },
            "base_rate": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "base_rate"
            },
            "precision_per_class": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "by_class": {
                    "combination": "least",
                    "metric": "precision"
                }
            },
            "recall_per_class": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "by_class": {
                    "combination": "least",
                    "metric": "recall"
                }
            },
            "f1_per_class": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "by_class": {
                    "combination": "least",
                    "metric": "f1"
                }
            },
            "auc": {
                "columns": {
                    "score_column": "score_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "auc",
                "by_score": "pairs"
            },
            "log_loss": {
                "columns": {
                    "probability_column": "probability_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "log_loss",
                "by_score": "losses"
            },
            "brier": {
                "columns": {
                    "probability_column": "probability_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "brier"
            },
            "mse": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "mse"
            },
            "rmse": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "rmse"
            },
            "mae": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "mae"
            },
            "r2": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "r2"
            },
            "mape": {
                "columns": {
                    "prediction_column": "prediction_column",
                    "ground_truth_column": "ground_truth_column"
                },
                "metric": "mape"
            },
            "mean": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "mean"
            },
            "median": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "median"
            },
            "p5": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "p5"
            },
            "p10": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "p10"
            },
            "p25": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "p25"
            },
            "p75": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "p75"
            },
            "p90": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "p90"
            },
            "p95": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "p95"
            },
            "p99": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "p99"
            },
            "sum": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "sum"
            },
            "min": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "min"
            },
            "max": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "max"
            },
            "std": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "std"
            },
            "variance": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "variance"
            },
            "distinct_count": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "distinct_count"
            },
            "missing_rate": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "missing_rate"
            },
            "rate": {
                "columns": {
                    "value_column": "value_column"
                },
                "metric": "rate"
            },
            "count": {
                "columns": {},
                "metric": "count"
            },
            "exact_match": {
                "columns": {
                    "output_column": "output_column",
                    "reference_column": "reference_column"
                },
                "metric": "exact_match"
            },
            "quasi_exact_match": {
                "columns": {
                    "output_column": "output_column",
                    "reference_column": "reference_column"
                },
                "metric": "quasi_exact_match"
            },
            "edit_distance": {
                "columns": {
                    "output_column": "output_column",
                    "reference_column": "reference_column"
                },
                "metric": "edit_distance"
            },
            "normalized_edit_distance": {
                "columns": {
                    "output_column": "output_column",
                    "reference_column": "reference_column"
                },
                "metric": "normalized_edit_distance"
            },
            "bleu_1": {
                "columns": {
                    "output_column": "output_column",
                    "reference_column": "reference_column"
                },
                "metric": "bleu_1"
            },
            "bleu_2": {
                "columns": {
                    "output_column": "output_column",
                    "reference_column": "reference_column"
                },
                "metric": "bleu_2"
            },
            "bleu_3": {
                "columns": {
                    "output_column": "output_column",
                    "reference_column": "reference_column"
                },
                "metric": "bleu_3"
            },
            "bleu_4": {
                "columns": {
                    "output_column": "output_column",
                    "reference_column": "reference_column"
                },
                "metric": "bleu_4"
            },
            "json_score": {
                "columns": {
                    "output_column": "output_column"
                },
                "metric": "json_score"
            },
            "semantic_similarity": {
                "columns": {
                    "output_embedding_column": "output_embedding_column",
                    "reference_embedding_column": "reference_embedding_column"
                },
                "metric": "semantic_similarity"
            },
            "mean_tokens": {
                "columns": {
                    "value_column": "tokens_column"
                },
                "metric": "mean"
            },
            "max_tokens": {
                "columns": {
                    "value_column": "tokens_column"
                },
                "metric": "max"
            },
            "total_tokens": {
                "columns": {
                    "value_column": "tokens_column"
                },
                "metric": "sum"
            },
            "p90_tokens": {
                "columns": {
                    "value_column": "tokens_column"
                },
                "metric": "p90"
            },
            "p95_tokens": {
                "columns": {
                    "value_column": "tokens_column"
                },
                "metric": "p95"
            },
            "p99_tokens": {
                "columns": {
                    "value_column": "tokens_column"
                },
                "metric": "p99"
            },
            "mean_latency": {
                "columns": {
                    "value_column": "latency_column"
                },
                "metric": "mean"
            },
            "max_latency": {
                "columns": {
                    "value_column": "latency_column"
                },
                "metric": "max"
            },
            "total_latency": {
                "columns": {
                    "value_column": "latency_column"
                },
                "metric": "sum"
            },
            "p90_latency": {
                "columns": {
                    "value_column": "latency_column"
                },
                "metric": "p90"
            },
            "p95_latency": {
                "columns": {
                    "value_column": "latency_column"
                },
                "metric": "p95"
            },
            "p99_latency": {
                "columns": {
                    "value_column": "latency_column"
                },
                "metric": "p99"
            }
        },
        "spellings": {
            "roc_auc": "auc",
            "mean_bleu1": "bleu_1",
            "mean_bleu2": "bleu_2",
            "mean_bleu3": "bleu_3",
            "mean_bleu4": "bleu_4",
            "mean_exact_match": "exact_match",
            "mean_quasi_exact_match": "quasi_exact_match",
            "mean_edit_distance": "edit_distance",
            "mean_normalized_edit_distance": "normalized_edit_distance",
            "mean_json_score": "json_score",
            "mean_semantic_similarity": "semantic_similarity",
            "context_relevancy": "context_precision"
        },
        "judges": {
            "bias": "7643340e27212d69",
            "correctness": "da6ad1f1c51689b4",
            "coherence": "da1c43f3c755923a",
            "conciseness": "70e9f67709acfdb7",
            "harmfulness": "67680922b7a75cb6",
            "maliciousness": "3664d3d23cfc6af2",
            "answer_relevancy": none,
            "answer_correctness": "421ded8692e5634f",
            "context_precision": "f4e76acd1bd73ef4",
            "context_recall": "d34f2b580203be5f",
            "faithfulness": "b8643f4a9fc50b57",
            "pairwise_bias": "b5cf24fe84cdaeaf",
            "pairwise_demographic_bias": none,
            "pairwise_refusal_disparity": "be4a1a00ed082e63",
            "genuine_refusal": "8c6691a80c6ad0a5",
            "toxicity": "7b0d51913649b221",
            "custom": none
        },
        "judge_fields": [
            "name",
            "judge",
            "model",
            "provider",
            "table",
            "input_column",
            "output_column",
            "reference_column",
            "context_column",
            "attribute",
            "rubric",
            "scale",
            "higher_is_better",
            "pairing",
            "relation",
            "where",
            "key_columns",
            "sample_size",
            "seed",
            "prices",
            "parameters",
            "embedding_model",
            "prompt_version"
        ],
        "judgements": "fairsql_judgements",
        "operators": [
            ">",
            ">=",
            "<",
            "<=",
            "is",
            "!="
        ],
        "filter_operators": {
            "is": "value",
            "!=": "value",
            ">": "order",
            ">=": "order",
            "<": "order",
            "<=": "order",
            "one_of": "list",
            "none_of": "list",
            "contains_any": "list",
            "contains_all": "list",
            "contains_none": "list"
        },
        "types": {
            "group_metric_parity": {
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
                    "auc_method": {
                        "type": "string",
                        "default": "exact",
                        "choices": [
                            "exact",
                            "binned"
                        ]
                    },
                    "quantile_method": {
                        "type": "string",
                        "default": "exact",
                        "choices": [
                            "exact",
                            "approximate"
                        ]
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
                    "filters": {
                        "type": "array",
                        "default": []
                    },
                    "weight_column": {
                        "type": "string",
                        "default": none
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
                },
                "required": [
                    "protected_attribute_columns",
                    "parity_metric"
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
                ]
            },
            "group_outcome_disparity": {
                "parameters": {
                    "protected_attribute_columns": {
                        "type": "array",
                        "default": none,
                        "fewest": 1,
                        "at_most_items": 3
                    },
                    "outcome_column": {
                        "type": "string",
                        "default": none
                    },
                    "favorable_values": {
                        "type": "array",
                        "default": none,
                        "fewest": 1
                    },
                    "stratify_by_columns": {
                        "type": "array",
                        "default": [],
                        "at_most_items": 3
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
                    "filters": {
                        "type": "array",
                        "default": []
                    },
                    "weight_column": {
                        "type": "string",
                        "default": none
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
                },
                "required": [
                    "protected_attribute_columns",
                    "outcome_column",
                    "favorable_values"
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
                    "undefined_group_count",
                    "impact_ratio",
                    "statistical_parity_difference",
                    "mantel_haenszel_odds_ratio",
                    "mantel_haenszel_p_value"
                ]
            },
            "group_score_disparity": {
                "parameters": {
                    "protected_attribute_columns": {
                        "type": "array",
                        "default": none,
                        "fewest": 1,
                        "at_most_items": 3
                    },
                    "score_column": {
                        "type": "string",
                        "default": none
                    },
                    "statistic": {
                        "type": "string",
                        "default": "mean",
                        "choices": [
                            "mean",
                            "median",
                            "scoring_rate",
                            "standardized_mean_difference"
                        ]
                    },
                    "higher_is_better": {
                        "type": "boolean",
                        "default": none
                    },
                    "quantile_method": {
                        "type": "string",
                        "default": "exact",
                        "choices": [
                            "exact",
                            "approximate"
                        ]
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
                    "filters": {
                        "type": "array",
                        "default": []
                    },
                    "weight_column": {
                        "type": "string",
                        "default": none
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
                },
                "required": [
                    "protected_attribute_columns",
                    "score_column",
                    "higher_is_better"
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
                ]
            },
            "group_performance_parity": {
                "parameters": {
                    "protected_attribute_columns": {
                        "type": "array",
                        "default": none,
                        "fewest": 1,
                        "at_most_items": 3
                    },
                    "performance_metrics": {
                        "type": "array",
                        "default": none,
                        "fewest": 1,
                        "choices": [
                            "accuracy",
                            "precision",
                            "recall",
                            "specificity",
                            "false_positive_rate",
                            "false_negative_rate",
                            "false_discovery_rate",
                            "false_omission_rate",
                            "npv",
                            "f1",
                            "balanced_accuracy",
                            "geometric_mean",
                            "selection_rate",
                            "equalized_odds",
                            "equal_opportunity",
                            "predictive_parity",
                            "demographic_parity"
                        ]
                    },
                    "prediction_column": {
                        "type": "string",
                        "default": none
                    },
                    "score_column": {
                        "type": "string",
                        "default": none
                    },
                    "decision_threshold": {
                        "type": "number",
                        "default": none
                    },
                    "ground_truth_column": {
                        "type": "string",
                        "default": none
                    },
                    "positive_values": {
                        "type": "array",
                        "default": none,
                        "fewest": 1
                    },
                    "per_class": {
                        "type": "boolean",
                        "default": false
                    },
                    "average": {
                        "type": "string",
                        "default": none,
                        "choices": [
                            "macro"
                        ]
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
                    "filters": {
                        "type": "array",
                        "default": []
                    },
                    "weight_column": {
                        "type": "string",
                        "default": none
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
                },
                "required": [
                    "protected_attribute_columns",
                    "performance_metrics",
                    "ground_truth_column"
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
                ]
            },
            "group_column_statistic": {
                "parameters": {
                    "protected_attribute_columns": {
                        "type": "array",
                        "default": none,
                        "fewest": 1,
                        "at_most_items": 3
                    },
                    "value_column": {
                        "type": "string",
                        "default": none
                    },
                    "statistic": {
                        "type": "string",
                        "default": none,
                        "choices": [
                            "sum",
                            "mean",
                            "median",
                            "min",
                            "max",
                            "std",
                            "variance",
                            "count",
                            "distinct_count",
                            "missing_rate",
                            "p5",
                            "p10",
                            "p25",
                            "p75",
                            "p90",
                            "p95",
                            "p99"
                        ]
                    },
                    "operator": {
                        "type": "string",
                        "default": none,
                        "choices": [
                            ">",
                            ">=",
                            "<",
                            "<=",
                            "is",
                            "!="
                        ]
                    },
                    "value": {
                        "type": "number",
                        "default": none
                    },
                    "quantile_method": {
                        "type": "string",
                        "default": "exact",
                        "choices": [
                            "exact",
                            "approximate"
                        ]
                    },
                    "alpha": {
                        "type": "number",
                        "default": 0.05,
                        "above": 0,
                        "below": 1
                    },
                    "min_group_size": {
                        "type": "integer",
                        "default": 1,
                        "least": 1,
                        "most": 9223372036854775807
                    },
                    "min_group_share": {
                        "type": "number",
                        "default": 0.0,
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
                    "filters": {
                        "type": "array",
                        "default": []
                    },
                    "weight_column": {
                        "type": "string",
                        "default": none
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
                },
                "required": [
                    "protected_attribute_columns",
                    "statistic",
                    "operator",
                    "value"
                ],
                "measurements": [
                    "failing_group_count",
                    "failing_group_percentage",
                    "insufficient_group_count",
                    "missing_attribute_rate",
                    "min_group_share",
                    "undefined_group_count",
                    "lowest_group_value",
                    "highest_group_value"
                ]
            },
            "metric_threshold": {
                "parameters": {
                    "prediction_column": {
                        "type": "string",
                        "default": none
                    },
                    "ground_truth_column": {
                        "type": "string",
                        "default": none
                    },
                    "score_column": {
                        "type": "string",
                        "default": none
                    },
                    "probability_column": {
                        "type": "string",
                        "default": none
                    },
                    "positive_values": {
                        "type": "array",
                        "default": none,
                        "fewest": 1
                    },
                    "class_score_columns": {
                        "type": "object",
                        "default": none
                    },
                    "value_column": {
                        "type": "string",
                        "default": none
                    },
                    "output_column": {
                        "type": "string",
                        "default": none
                    },
                    "reference_column": {
                        "type": "string",
                        "default": none
                    },
                    "output_embedding_column": {
                        "type": "string",
                        "default": none
                    },
                    "reference_embedding_column": {
                        "type": "string",
                        "default": none
                    },
                    "latency_column": {
                        "type": "string",
                        "default": none
                    },
                    "tokens_column": {
                        "type": "string",
                        "default": none
                    },
                    "auc_method": {
                        "type": "string",
                        "default": "exact",
                        "choices": [
                            "exact",
                            "binned"
                        ]
                    },
                    "quantile_method": {
                        "type": "string",
                        "default": "exact",
                        "choices": [
                            "exact",
                            "approximate"
                        ]
                    },
                    "alpha": {
                        "type": "number",
                        "default": 0.05,
                        "above": 0,
                        "below": 1
                    },
                    "filters": {
                        "type": "array",
                        "default": []
                    },
                    "judges": {
                        "type": "array",
                        "default": []
                    },
                    "weight_column": {
                        "type": "string",
                        "default": none
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
                },
                "required": [],
                "measurements": [
                    "accuracy",
                    "precision",
                    "recall",
                    "specificity",
                    "false_positive_rate",
                    "false_negative_rate",
                    "false_discovery_rate",
                    "false_omission_rate",
                    "npv",
                    "f1",
                    "balanced_accuracy",
                    "geometric_mean",
                    "selection_rate",
                    "base_rate",
                    "precision_per_class",
                    "recall_per_class",
                    "f1_per_class",
                    "auc",
                    "log_loss",
                    "brier",
                    "mse",
                    "rmse",
                    "mae",
                    "r2",
                    "mape",
                    "mean",
                    "median",
                    "p5",
                    "p10",
                    "p25",
                    "p75",
                    "p90",
                    "p95",
                    "p99",
                    "sum",
                    "min",
                    "max",
                    "std",
                    "variance",
                    "distinct_count",
                    "missing_rate",
                    "rate",
                    "count",
                    "exact_match",
                    "quasi_exact_match",
                    "edit_distance",
                    "normalized_edit_distance",
                    "bleu_1",
                    "bleu_2",
                    "bleu_3",
                    "bleu_4",
                    "json_score",
                    "semantic_similarity",
                    "mean_tokens",
                    "max_tokens",
                    "total_tokens",
                    "p90_tokens",
                    "p95_tokens",
                    "p99_tokens",
                    "mean_latency",
                    "max_latency",
                    "total_latency",
                    "p90_latency",
                    "p95_latency",
                    "p99_latency",
                    "answer_relevancy",
                    "answer_correctness",
                    "context_precision",
                    "context_recall",
                    "correctness",
                    "harmfulness",
                    "coherence",
                    "conciseness",
                    "maliciousness",
                    "faithfulness"
                ]
            },
            "refusal_rate_disparity": {
                "parameters": {
                    "protected_attribute_columns": {
                        "type": "array",
                        "default": none,
                        "fewest": 1,
                        "at_most_items": 3
                    },
                    "output_column": {
                        "type": "string",
                        "default": none
                    },
                    "scorer_column": {
                        "type": "string",
                        "default": none
                    },
                    "score_threshold": {
                        "type": "number",
                        "default": 0.5
                    },
                    "refusal_phrases": {
                        "type": "array",
                        "default": []
                    },
                    "max_difference": {
                        "type": "number",
                        "default": 0.1,
                        "least": 0,
                        "most": 1
                    },
                    "alpha": {
                        "type": "number",
                        "default": 0.05,
                        "above": 0,
                        "below": 1
                    },
                    "allow_small_samples": {
                        "type": "boolean",
                        "default": false
                    },
                    "min_group_size": {
                        "type": "integer",
                        "default": 5,
                        "least": 1,
                        "most": 9223372036854775807
                    },
                    "min_group_share": {
                        "type": "number",
                        "default": 0.0,
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
                    "filters": {
                        "type": "array",
                        "default": []
                    },
                    "weight_column": {
                        "type": "string",
                        "default": none
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
                },
                "required": [
                    "protected_attribute_columns"
                ],
                "measurements": [
                    "refusal_rate_disparity",
                    "failing_group_count",
                    "failing_group_percentage",
                    "highest_group_rate",
                    "insufficient_group_count",
                    "missing_attribute_rate",
                    "min_group_share",
                    "undefined_group_count",
                    "significant_disparity_count"
                ]
            },
            "toxicity_sentiment_disparity": {
                "parameters": {
                    "protected_attribute_columns": {
                        "type": "array",
                        "default": none,
                        "fewest": 1,
                        "at_most_items": 3
                    },
                    "output_column": {
                        "type": "string",
                        "default": none
                    },
                    "lexicon": {
                        "type": "string",
                        "default": "toxicity",
                        "choices": [
                            "toxicity",
                            "negative_sentiment"
                        ]
                    },
                    "scorer_column": {
                        "type": "string",
                        "default": none
                    },
                    "score_threshold": {
                        "type": "number",
                        "default": 0.5
                    },
                    "toxic_phrases": {
                        "type": "array",
                        "default": []
                    },
                    "max_difference": {
                        "type": "number",
                        "default": 0.1,
                        "least": 0,
                        "most": 1
                    },
                    "alpha": {
                        "type": "number",
                        "default": 0.05,
                        "above": 0,
                        "below": 1
                    },
                    "allow_small_samples": {
                        "type": "boolean",
                        "default": false
                    },
                    "min_group_size": {
                        "type": "integer",
                        "default": 5,
                        "least": 1,
                        "most": 9223372036854775807
                    },
                    "min_group_share": {
                        "type": "number",
                        "default": 0.0,
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
                    "filters": {
                        "type": "array",
                        "default": []
                    },
                    "weight_column": {
                        "type": "string",
                        "default": none
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
                },
                "required": [
                    "protected_attribute_columns"
                ],
                "measurements": [
                    "toxicity_sentiment_disparity",
                    "failing_group_count",
                    "failing_group_percentage",
                    "highest_group_rate",
                    "insufficient_group_count",
                    "missing_attribute_rate",
                    "min_group_share",
                    "undefined_group_count",
                    "significant_disparity_count"
                ]
            },
            "stereotype_association_score": {
                "parameters": {
                    "protected_attribute_columns": {
                        "type": "array",
                        "default": none,
                        "fewest": 1,
                        "at_most_items": 3
                    },
                    "answer_column": {
                        "type": "string",
                        "default": none
                    },
                    "stereotyped_answer_column": {
                        "type": "string",
                        "default": none
                    },
                    "max_difference": {
                        "type": "number",
                        "default": 0.1,
                        "least": 0,
                        "most": 1
                    },
                    "alpha": {
                        "type": "number",
                        "default": 0.05,
                        "above": 0,
                        "below": 1
                    },
                    "allow_small_samples": {
                        "type": "boolean",
                        "default": false
                    },
                    "min_group_size": {
                        "type": "integer",
                        "default": 5,
                        "least": 1,
                        "most": 9223372036854775807
                    },
                    "min_group_share": {
                        "type": "number",
                        "default": 0.0,
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
                    "filters": {
                        "type": "array",
                        "default": []
                    },
                    "weight_column": {
                        "type": "string",
                        "default": none
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
                },
                "required": [
                    "protected_attribute_columns",
                    "answer_column",
                    "stereotyped_answer_column"
                ],
                "measurements": [
                    "stereotype_association_score",
                    "failing_group_count",
                    "failing_group_percentage",
                    "highest_group_rate",
                    "insufficient_group_count",
                    "missing_attribute_rate",
                    "min_group_share",
                    "undefined_group_count",
                    "significant_disparity_count"
                ]
            },
            "counterfactual_fairness_divergence": {
                "parameters": {
                    "output_column": {
                        "type": "string",
                        "default": none
                    },
                    "group_by": {
                        "type": "string",
                        "default": "group_id"
                    },
                    "role": {
                        "type": "string",
                        "default": "role"
                    },
                    "dimension": {
                        "type": "string",
                        "default": none
                    },
                    "refusal_phrases": {
                        "type": "array",
                        "default": []
                    },
                    "max_divergence": {
                        "type": "number",
                        "default": 1.0,
                        "least": 0,
                        "most": 1
                    },
                    "allow_small_samples": {
                        "type": "boolean",
                        "default": false
                    },
                    "min_group_size": {
                        "type": "integer",
                        "default": 5,
                        "least": 1,
                        "most": 9223372036854775807
                    },
                    "alpha": {
                        "type": "number",
                        "default": 0.05,
                        "above": 0,
                        "below": 1
                    },
                    "filters": {
                        "type": "array",
                        "default": []
                    },
                    "weight_column": {
                        "type": "string",
                        "default": none
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
                },
                "required": [
                    "output_column"
                ],
                "measurements": [
                    "counterfactual_fairness_divergence",
                    "lowest_dimension_divergence",
                    "failing_group_count"
                ]
            },
            "pairwise_divergence": {
                "parameters": {
                    "mode": {
                        "type": "string",
                        "default": none,
                        "choices": [
                            "group",
                            "contrastive"
                        ]
                    },
                    "group_by": {
                        "type": "string",
                        "default": none
                    },
                    "role": {
                        "type": "string",
                        "default": none
                    },
                    "reference_role": {
                        "type": "string",
                        "default": none
                    },
                    "poles": {
                        "type": "array",
                        "default": none,
                        "fewest": 2,
                        "at_most_items": 2
                    },
                    "dimension": {
                        "type": "string",
                        "default": none
                    },
                    "equivalent_up_to": {
                        "type": "number",
                        "default": 0.0,
                        "least": 0
                    },
                    "min_equivalence_rate": {
                        "type": "number",
                        "default": none,
                        "least": 0,
                        "most": 1
                    },
                    "max_divergence_rate": {
                        "type": "number",
                        "default": none,
                        "least": 0,
                        "most": 1
                    },
                    "max_mean_divergence": {
                        "type": "number",
                        "default": none,
                        "least": 0
                    },
                    "alpha": {
                        "type": "number",
                        "default": 0.05,
                        "above": 0,
                        "below": 1
                    },
                    "filters": {
                        "type": "array",
                        "default": []
                    },
                    "judges": {
                        "type": "array",
                        "default": []
                    },
                    "weight_column": {
                        "type": "string",
                        "default": none
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
                },
                "required": [],
                "measurements": [
                    "mean_divergence",
                    "equivalence_rate",
                    "divergence_rate"
                ]
            },
            "llm_bias": {
                "parameters": {
                    "alpha": {
                        "type": "number",
                        "default": 0.05,
                        "above": 0,
                        "below": 1
                    },
                    "filters": {
                        "type": "array",
                        "default": []
                    },
                    "judges": {
                        "type": "array",
                        "default": []
                    },
                    "weight_column": {
                        "type": "string",
                        "default": none
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
                },
                "required": [],
                "measurements": [
                    "bias_mean_score",
                    "bias_std_score",
                    "applied_row_count",
                    "errored_row_count"
                ]
            }
        }
    }) -}}
{% endmacro %}
