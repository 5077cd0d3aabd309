{# What a user writes of a judge, checked and in the words in which judgements are found. #}


{# A mapping a judge: name, judge, prompt_version, model, table, and stored_columns, what each text is to the judge -> its column
   as the relation spells it. A mapping that has stored_columns is taken as it is; of others the columns are input_column,
   output_column, reference_column and context_column, or text_columns, and `place` begins a message. #}
{% macro judges_of(place, judges) %}
    {%- if judges is string or judges is mapping or judges is not iterable -%}
        {%- do fairsql.refuse(place, 'judges', 'must be a list of mappings, but is ' ~ judges) -%}
    {%- endif -%}
    {%- set found = [] -%}
    {%- set names = [] -%}
    {%- for judge in judges -%}
        {%- if judge is not mapping -%}
            {%- do fairsql.refuse(place, 'judges', 'must be a list of mappings, but holds ' ~ judge) -%}
        {%- endif -%}
        {%- do found.append(judge if judge.stored_columns is defined else fairsql.judge_of(place, judge)) -%}
        {%- if judge.name in names -%}{%- do fairsql.refuse(place, 'judges', 'name ' ~ judge.name ~ ' twice') -%}{%- endif -%}
        {%- do names.append(judge.name) -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}


{# One judge of a user's. #}
{% macro judge_of(place, judge) %}
    {%- for field in judge if field not in fairsql.catalogue().judge_fields + ['text_columns'] -%}
        {%- do fairsql.refuse(place, 'judges', 'have the field ' ~ field ~ ', which a judge has not') -%}
    {%- endfor -%}
    {%- for field in ['name', 'judge', 'model'] -%}
        {%- if judge[field] is not defined or judge[field] is not string or not judge[field] | trim -%}
            {%- do fairsql.refuse(place, 'judges', 'need ' ~ field ~ ', which is text') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set letters = 'abcdefghijklmnopqrstuvwxyz' -%}
    {%- for letter in judge.name -%}
        {%- if letter not in letters ~ ('' if loop.first else '0123456789_') -%}
            {%- do fairsql.refuse(place, 'judges', 'name ' ~ judge.name ~ '; a name has small letters, digits and _, and begins with a letter') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if judge.judge not in fairsql.catalogue().judges -%}
        {%- do fairsql.refuse(place, 'judges', 'have judge ' ~ judge.judge ~ '; it must be one of ' ~ fairsql.catalogue().judges | join(', ')) -%}
    {%- endif -%}
    {%- set version = judge.prompt_version if judge.prompt_version is defined else none -%}
    {%- set version = version if version is not none else fairsql.version_of_prompt(judge) -%}
    {%- if version is not string -%}
        {%- do fairsql.refuse(place, 'judges', 'need prompt_version of ' ~ judge.name ~ ', since its prompt hangs on what is given; it stands beside its judgements') -%}
    {%- endif -%}
    {%- set columns = {} -%}
    {%- for text in ['input', 'output', 'reference', 'context'] if judge[text ~ '_column'] is defined and judge[text ~ '_column'] is not none -%}
        {%- do columns.update({text: judge[text ~ '_column']}) -%}
    {%- endfor -%}
    {%- set columns = judge.text_columns if judge.text_columns is defined else columns -%}
    {%- set stored = {} -%}
    {%- for text, column in columns.items() -%}
        {%- do fairsql.check_scalar(place, 'judges', column) -%}
        {%- do stored.update({text: fairsql.stored_name(column)}) -%}
    {%- endfor -%}
    {%- do fairsql.refuse(place, 'judges', 'name no column that ' ~ judge.name ~ ' judges, such as output_column') if not stored -%}
    {{- return({
        'name': judge.name, 'judge': judge.judge, 'prompt_version': version, 'model': judge.model,
        'table': fairsql.table_of_judge(judge), 'stored_columns': stored
    }) -}}
{% endmacro %}


{# The table of a judge's judgements: a Relation or its name; a select in parentheses needs a name in some warehouses. #}
{% macro table_of_judge(judge) %}
    {%- set table = judge.table if judge.table is defined and judge.table is not none else fairsql.catalogue().judgements -%}
    {{- return(table ~ ' as judgements' if table is string and table[-1:] == ')' else table) -}}
{% endmacro %}


{# The version of a judge's prompt, by its template alone; none where the prompt holds what the mapping gives. #}
{% macro version_of_prompt(judge) %}
    {%- for field in ['rubric', 'scale', 'higher_is_better', 'attribute', 'embedding_model'] if judge[field] is defined and judge[field] is not none -%}
        {{- return(none) -}}
    {%- endfor -%}
    {{- return(fairsql.catalogue().judges[judge.judge]) -}}
{% endmacro %}
