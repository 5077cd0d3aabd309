{# Two-sided p-values of Welch's t-test, with Satterthwaite's degrees of freedom.

   `samples` holds cut, group_number, n_1, mean_1, variance_1, n_2, mean_2, variance_2: the variances are those with
   n - 1 and exactly 0 for a constant sample. The last stage is student_p_values, the same rows with p_value: null with
   fewer than two rows on a side, and for two constant samples 1 when they are equal, else 0. #}
{% macro welch_ctes(samples) %}
    {%- set errors -%}
    select
        *,
        mean_1 - mean_2 as mean_difference,
        case when n_1 >= 2 and n_2 >= 2 then variance_1 / {{ fairsql.double('n_1') }} end as squared_error_1,
        case when n_1 >= 2 and n_2 >= 2 then variance_2 / {{ fairsql.double('n_2') }} end as squared_error_2
    from {{ samples }}
    {%- endset -%}
    {# A share is kept from squaring to nothing; an infinite error leaves nothing to compare. #}
    {%- set shares -%}
    select
        *,
        case when squared_error > 0e0 then greatest(squared_error_1 / squared_error, {{ fairsql.extreme('1e-100') }}) end as error_share_1,
        case when squared_error > 0e0 then greatest(squared_error_2 / squared_error, {{ fairsql.extreme('1e-100') }}) end as error_share_2
    from (
        select *, case when squared_error_1 + squared_error_2 <= {{ fairsql.extreme('1.7976931348623157e308') }} then squared_error_1 + squared_error_2 end as squared_error
        from welch_errors
    ) as errors
    {%- endset -%}
    {# Two constant samples that differ are further apart than any p-value tells. #}
    {%- set tests -%}
    select
        *,
        case
            when squared_error > 0e0 then mean_difference / sqrt(squared_error)
            when squared_error = 0e0 and mean_difference = 0e0 then 0e0
            when squared_error = 0e0 then {{ fairsql.extreme('1e50') }}
        end as t,
        case
            when squared_error > 0e0
                then 1e0 / (error_share_1 * error_share_1 / (n_1 - 1e0) + error_share_2 * error_share_2 / (n_2 - 1e0))
            when squared_error = 0e0 then 1e9
        end as degrees_of_freedom
    from welch_shares
    {%- endset -%}
    {%- set ctes = fairsql.fenced([
        ['welch_errors', errors],
        ['welch_shares', shares],
        ['welch_tests', tests],
    ]) -%}
    {%- do ctes.extend(fairsql.student_ctes('welch_tests')) -%}
    {{- return(ctes) -}}
{% endmacro %}
