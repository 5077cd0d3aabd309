{# Days and moments in whole numbers. Jinja has no calendar of its own, and dbt's modules are not in every dbt. #}


{# How many days a date of the Gregorian calendar is after 1970-01-01. A year here begins in March, so that the day a leap
   year has besides is its last; 400 years have 146,097 days. #}
{% macro day_number(year, month, day) %}
    {%- set year = year - 1 if month <= 2 else year -%}
    {%- set month = month + 9 if month <= 2 else month - 3 -%}
    {{- return(year * 365 + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day - 719469) -}}
{% endmacro %}


{# The date that is so many days after 1970-01-01, as text. #}
{% macro day_text(number) %}
    {%- set days = number + 719468 -%}
    {%- set era = days // 146097 -%}
    {%- set of_era = days - era * 146097 -%}
    {%- set year_of_era = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365 -%}
    {%- set of_year = of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100) -%}
    {%- set from_march = (5 * of_year + 2) // 153 -%}
    {%- set day = of_year - (153 * from_march + 2) // 5 + 1 -%}
    {%- set month = from_march + 3 if from_march < 10 else from_march - 9 -%}
    {%- set year = year_of_era + era * 400 + (1 if month <= 2 else 0) -%}
    {{- return(fairsql.padded(year, 4) ~ '-' ~ fairsql.padded(month, 2) ~ '-' ~ fairsql.padded(day, 2)) -}}
{% endmacro %}


{# A whole number of at most so many digits, with zeros before it. #}
{% macro padded(number, width) %}
    {{- return(('0000' ~ number)[0 - width:]) -}}
{% endmacro %}


{# A moment, so many seconds earlier; none where that is before the year 1, or after 9999. #}
{% macro moment_before(moment, seconds) %}
    {%- set days = fairsql.day_number(moment[:4] | int, moment[5:7] | int, moment[8:10] | int) -%}
    {%- set total = days * 86400 + (moment[11:13] | int) * 3600 + (moment[14:16] | int) * 60 + (moment[17:19] | int) - seconds -%}
    {%- if total // 86400 < 0 - 719162 or total // 86400 > 2932896 -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set of_day = total - total // 86400 * 86400 -%}
    {{- return(
        fairsql.day_text(total // 86400) ~ ' ' ~ fairsql.padded(of_day // 3600, 2) ~ ':' ~ fairsql.padded(of_day // 60 % 60, 2)
        ~ ':' ~ fairsql.padded(of_day % 60, 2) ~ moment[19:]
    ) -}}
{% endmacro %}


{# The moment that ISO 8601 text, or what YAML made of it, names: a date alone is its midnight, and without a zone it is in
   UTC. None for other text. #}
{% macro moment_of(value) %}
    {%- set text = value | string | trim | upper | replace(' ', 'T') -%}
    {%- set text = text ~ 'T00:00' if text | length == 10 else text -%}
    {%- set zone = namespace(text='', sign=0) -%}
    {%- if text[-1:] == 'Z' -%}
        {%- set zone.text = 'Z' -%}
    {%- elif text[-6:-5] in ['+', '-'] and text | length > 16 and text[-3:-2] == ':' -%}
        {%- set zone.text = text[-6:] -%}
    {%- elif text[-5:-4] in ['+', '-'] and text | length > 16 -%}
        {%- set zone.text = text[-5:] -%}
    {%- endif -%}
    {%- set clock = text[:text | length - zone.text | length] -%}
    {%- set clock = clock ~ ':00' if clock | length == 16 else clock -%}
    {%- set fraction = clock[20:] -%}
    {%- set digits = zone.text[1:] | replace(':', '') -%}
    {%- if fairsql.shape(clock[:19]) != 'dddd-dd-ddTdd:dd:dd' or clock[19:20] not in ['', '.']
        or (clock[19:20] == '.') != (fraction | length > 0) or fairsql.shape(fraction) | replace('d', '') or fraction | length > 6
        or fairsql.shape(digits) | replace('d', '') -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set day = fairsql.day_text(fairsql.day_number(clock[:4] | int, clock[5:7] | int, clock[8:10] | int)) -%}
    {%- if day != clock[:10] or clock[:4] == '0000' or clock[11:13] | int > 23 or clock[14:16] | int > 59 or clock[17:19] | int > 59
        or ('0' ~ digits[:2]) | int > 23 or ('0' ~ digits[2:]) | int > 59 -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set fraction = fraction.rstrip('0') -%}
    {%- set moment = clock[:10] ~ ' ' ~ clock[11:19] ~ ('.' ~ fraction if fraction else '') -%}
    {%- set ahead = (('0' ~ digits[:2]) | int) * 3600 + (('0' ~ digits[2:]) | int) * 60 -%}
    {{- return(fairsql.moment_before(moment, 0 - ahead if zone.text[:1] == '-' else ahead) if ahead else moment) -}}
{% endmacro %}


{# A text with `d` for each digit. #}
{% macro shape(text) %}
    {%- set letters = [] -%}
    {%- for character in text -%}{%- do letters.append('d' if character in '0123456789' else character) -%}{%- endfor -%}
    {{- return(letters | join) -}}
{% endmacro %}
