{# Judging where the answers live: the warehouse's own AI function is asked once for each text that has no judgement yet, and
   what it replies becomes rows of the judgements table. A reply that is not of the shape asked for is a failure with its
   reason, and never a score. #}


{# Judgements that are not in `existing` yet, with the columns of the judgements table; a model of dbt's, or of one's own.
   Each of `judges` is a mapping: judge, model, the columns of its texts (input_column, output_column, …), key_columns, and
   where the judge needs them rubric, scale, higher_is_better, attribute and prompt_version; sample_size, seed, and parameters,
   which go to the model, as in a suite.
   `existing` is the table of judgements so far; with `retry_errors` texts that only failed there are asked about again. #}
{% macro judgements(relation, judges, existing=none, retry_errors=false) %}
    {%- set ctes = [] -%}
    {%- set selects = [] -%}
    {%- for written in judges -%}
        {%- set judge = fairsql.warehouse_judge(written) -%}
        {%- set number = '_' ~ loop.index -%}
        {%- do ctes.append(['to_judge' ~ number, fairsql.texts_to_judge(relation, judge, existing, retry_errors)]) -%}
        {%- do ctes.append(['asked' ~ number, fairsql.asked_of_model(judge, 'to_judge' ~ number)]) -%}
        {%- do ctes.append(['received' ~ number, fairsql.received_replies('asked' ~ number)]) -%}
        {%- do ctes.append(['fields' ~ number, fairsql.fields_of_replies(judge, 'received' ~ number)]) -%}
        {%- do ctes.append(['scored' ~ number, fairsql.scored_replies(judge, 'fields' ~ number)]) -%}
        {%- do selects.append(fairsql.judgement_rows(judge, 'scored' ~ number)) -%}
    {%- endfor -%}
    {{- return(fairsql.statement(['Judgements by a language model in the warehouse: a row a text that had none.'], ctes, selects | join('\nunion all\n'))) -}}
{% endmacro %}


{# A judge with what its prompt says, checked: what the other macros here are given. #}
{% macro warehouse_judge(written) %}
    {%- set prompts = fairsql.judge_prompts() -%}
    {%- set name = written.judge if 'judge' in written else '' -%}
    {%- if name not in prompts.judges -%}
        {%- do exceptions.raise_compiler_error('fairsql.judgements: judge must be one of ' ~ prompts.judges | join(', ') ~ ', but is ' ~ name ~ '. Judges that take an answer apart are asked through a provider: fairsql judge.') -%}
    {%- endif -%}
    {%- set template = prompts.judges[name] -%}
    {%- for needed in ['model'] + template.needs if not fairsql.is_given(written, needed) -%}
        {%- do exceptions.raise_compiler_error('fairsql.judgements: judge ' ~ name ~ ' needs ' ~ needed ~ '.') -%}
    {%- endfor -%}
    {%- set text_columns = {} -%}
    {%- for text in ['input', 'output', 'reference', 'context'] if fairsql.is_given(written, text ~ '_column') -%}
        {%- do text_columns.update({text: written[text ~ '_column']}) -%}
    {%- endfor -%}
    {%- if template.kind == 'pairwise' -%}
        {%- set text_columns = {'input': 'input', 'output_a': 'output_a', 'output_b': 'output_b'} -%}
    {%- endif -%}
    {%- for text in template.texts if text not in text_columns -%}
        {%- do exceptions.raise_compiler_error('fairsql.judgements: judge ' ~ name ~ ' needs ' ~ text ~ '_column.') -%}
    {%- endfor -%}
    {%- if template.version is none and not fairsql.is_given(written, 'prompt_version') -%}
        {%- do exceptions.raise_compiler_error('fairsql.judgements: judge ' ~ name ~ ' needs prompt_version, since its prompt depends on what is given; fairsql.prompt_version tells it.') -%}
    {%- endif -%}
    {%- set scale = template.scale or fairsql.scale_steps(written.scale) -%}
    {{- return({
        'judge': name,
        'model': written.model,
        'prompt_version': written.prompt_version if fairsql.is_given(written, 'prompt_version') else template.version,
        'text_columns': text_columns,
        'key_columns': written.key_columns if fairsql.is_given(written, 'key_columns') else [],
        'texts': template.texts,
        'optional': template.optional,
        'told': prompts.frame ~ '\n\n# Rubric\n\n' ~ fairsql.filled_body(template, written, scale) ~ '\n\n# Texts\n\n',
        'fields': template.fields,
        'reply': template.reply,
        'labels': template.labels,
        'scale': scale,
        'parameters': fairsql.changed({'temperature': 0, 'max_tokens': 1024}, written.parameters if fairsql.is_given(written, 'parameters') else {}),
        'sample_size': written.sample_size if fairsql.is_given(written, 'sample_size') else none,
        'seed': written.seed if fairsql.is_given(written, 'seed') else 0,
        'ai_function': written.ai_function if fairsql.is_given(written, 'ai_function') else none,
    }) -}}
{% endmacro %}


{# Whether a mapping holds a value for a key. #}
{% macro is_given(mapping, key) %}{{ return(key in mapping and mapping[key] is not none and mapping[key] != '') }}{% endmacro %}


{# The steps of a scale of one's own: whole numbers where there are 3 to 21 of them, else eleven from end to end. #}
{% macro scale_steps(ends) %}
    {%- set steps = [] -%}
    {%- set span = ends[1] - ends[0] -%}
    {%- if span <= 0 -%}
        {%- do exceptions.raise_compiler_error('fairsql.judgements: scale must rise from its first end, but is ' ~ ends[0] ~ ', ' ~ ends[1] ~ '.') -%}
    {%- endif -%}
    {%- if ends[0] == ends[0] | int and ends[1] == ends[1] | int and span >= 2 and span <= 20 -%}
        {%- for step in range(span | int + 1) -%}{%- do steps.append(ends[0] | int + step) -%}{%- endfor -%}
    {%- else -%}
        {%- for step in range(11) -%}
            {%- set value = (ends[0] + span * step / 10) | round(10) -%}
            {%- do steps.append(value | int if value == value | int else value) -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(steps) -}}
{% endmacro %}


{# The rubric of a judge: texts of the template, and between them what the mapping gives. #}
{% macro filled_body(template, written, scale) %}
    {%- set better = fairsql.is_given(written, 'higher_is_better') and written.higher_is_better -%}
    {%- set values = {
        'rubric': written.rubric if fairsql.is_given(written, 'rubric') else '',
        'attribute': written.attribute if fairsql.is_given(written, 'attribute') else '',
        'scale': scale | join(', '),
        'direction': 'a higher score is better' if better else 'a lower score is better',
    } -%}
    {%- set texts = [] -%}
    {%- for part in template.body -%}
        {%- do texts.append(part if loop.index0 is even else values[part]) -%}
    {%- endfor -%}
    {{- return(texts | join) -}}
{% endmacro %}


{# One row for each list of texts that has no judgement yet: the key of the first row that has them, their hash, the texts. #}
{% macro texts_to_judge(relation, judge, existing, retry_errors) %}
    {%- set keys = [] -%}
    {%- for column in judge.key_columns -%}{%- do keys.append({'name': column, 'kind': none}) -%}{%- endfor -%}
    {%- set job = fairsql.changed(judge, {
        'relation': relation, 'where': none, 'needed': judge.texts, 'key_columns': keys, 'table': existing, 'retries_errors': retry_errors
    }) -%}
    {%- set names = [] -%}
    {%- for text in fairsql.texts_shown(judge) -%}{%- do names.append('text_' ~ text) -%}{%- endfor -%}
    {{- return((fairsql.unjudged_texts(job) | trim ~ '\n\nselect row_key, input_hash, ' ~ names | join(', ') ~ '\nfrom unjudged') | indent(4)) -}}
{% endmacro %}


{# The texts that a model sees, in the order in which they are hashed. #}
{% macro texts_shown(judge) %}
    {%- set texts = [] -%}
    {%- for text in judge.text_columns if text in judge.texts or text in judge.optional -%}{%- do texts.append(text) -%}{%- endfor -%}
    {{- return(texts) -}}
{% endmacro %}


{# The one call a row. #}
{% macro asked_of_model(judge, source) %}
    {%- set fence = '\n    ' ~ fairsql.fence() if fairsql.fence() else '' -%}
    {{- return('select\n        row_key,\n        input_hash,\n        ' ~ fairsql.ai_reply(judge, fairsql.prompt_of_texts(judge)) ~ ' as reply\n    from ' ~ source ~ fence) -}}
{% endmacro %}


{# The prompt of a row, as SQL. Texts stand between fences whose digits are of the hash of the texts themselves, so that no
   text can hold them and end its own fence. #}
{% macro prompt_of_texts(judge) %}
    {%- set digits = 'substr(input_hash, 1, 16)' -%}
    {%- set fences = [] -%}
    {%- for text in fairsql.texts_shown(judge) -%}
        {%- set fence = fairsql.literal('\n\n<<<' ~ text ~ ' ') ~ ' || ' ~ digits ~ ' || ' ~ fairsql.literal('\n') ~ ' || text_' ~ text ~ ' || ' ~ fairsql.literal('\n' ~ text ~ ' ') ~ ' || ' ~ digits ~ " || '>>>'" -%}
        {%- set optional = 'case when text_' ~ text ~ " is null then '' else " ~ fence ~ ' end' -%}
        {#- In parentheses, so that many texts are no deep chain. -#}
        {%- do fences.append(optional if text in judge.optional else '(' ~ fence ~ ')') -%}
    {%- endfor -%}
    {{- return(
        fairsql.literal(judge.told ~ 'The fences of this request have the digits ') ~ '\n        || ' ~ digits ~ " || '.'\n        || " ~ fences | join('\n        || ')
    ) -}}
{% endmacro %}


{# What the function says besides the answer: why it failed, and how many tokens it read and wrote, where it tells. #}
{% macro received_replies(source) %}
    {{- return(
        'select\n        row_key,\n        input_hash,\n        ' ~ fairsql.ai_error('reply') ~ ' as reply_error,\n        ' ~ fairsql.ai_value('reply') ~ ' as reply_value,\n        '
        ~ fairsql.ai_tokens('reply', 'input') ~ ' as input_tokens,\n        ' ~ fairsql.ai_tokens('reply', 'output') ~ ' as output_tokens\n    from ' ~ source
        ~ ('\n    ' ~ fairsql.fence() if fairsql.fence() else '')
    ) -}}
{% endmacro %}


{# The fields of an answer as texts; all null where it is not of the shape asked for. #}
{% macro fields_of_replies(judge, source) %}
    {%- set fields = [] -%}
    {%- for field in judge.fields -%}
        {%- do fields.append(fairsql.ai_field('reply_value', field) ~ ' as field_' ~ field) -%}
    {%- endfor -%}
    {{- return('select\n        row_key,\n        input_hash,\n        reply_error,\n        input_tokens,\n        output_tokens,\n        ' ~ fields | join(',\n        ') ~ '\n    from ' ~ source) -}}
{% endmacro %}


{# Score, label and reason by the judge's rules: a score is one of the scale's, a label one of the labels. #}
{% macro scored_replies(judge, source) %}
    {%- set branches = [] -%}
    {%- set label = fairsql.text('null') -%}
    {%- set is_labelled = 'true' -%}
    {%- if judge.reply in ['graded', 'compared'] -%}
        {%- set number = fairsql.number_in_text('field_score') -%}
        {%- for step in judge.scale -%}
            {%- do branches.append('when abs(' ~ number ~ ' - ' ~ fairsql.double(step) ~ ') <= 1e-9 then ' ~ step) -%}
        {%- endfor -%}
        {%- if judge.labels -%}
            {%- set label = 'field_category' -%}
        {%- endif -%}
    {%- else -%}
        {%- set label = 'field_' ~ ('answer' if judge.reply == 'yes_no' else 'choice') -%}
        {%- for value, score in ({'yes': 1, 'no': 0} if judge.reply == 'yes_no' else judge.labels).items() -%}
            {%- do branches.append('when ' ~ label ~ ' = ' ~ fairsql.literal(value) ~ ' then ' ~ score) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if judge.reply in ['graded', 'compared'] and judge.labels -%}
        {%- set labels = [] -%}
        {%- for value in judge.labels -%}{%- do labels.append(fairsql.literal(value)) -%}{%- endfor -%}
        {%- set is_labelled = 'field_category in (' ~ labels | join(', ') ~ ')' -%}
    {%- endif -%}
    {%- set whole = [is_labelled] -%}
    {%- for field in judge.fields -%}{%- do whole.append('field_' ~ field ~ ' is not null') -%}{%- endfor -%}
    {%- set reason = 'field_reason' -%}
    {%- if 'evidence' in judge.fields -%}
        {%- set reason = "field_reason || case when field_evidence = '' then '' else ' Evidence: «' || field_evidence || '»' end" -%}
    {%- endif -%}
    {{- return(
        'select\n        row_key,\n        input_hash,\n        reply_error,\n        input_tokens,\n        output_tokens,\n        ' ~ label ~ ' as label,\n        ' ~ reason ~ ' as reason,\n        case\n            when reply_error is null and '
        ~ whole | join(' and ') ~ '\n                then ' ~ fairsql.double('case\n                    ' ~ branches | join('\n                    ') ~ '\n                end') ~ '\n        end as score\n    from ' ~ source
    ) -}}
{% endmacro %}


{# The rows of the judgements table. #}
{% macro judgement_rows(judge, source) %}
    {%- set nothing = "'the reply is not of the shape asked for, or its score is off the scale.'" -%}
    {{- return(
        'select\n    row_key,\n    ' ~ fairsql.text(fairsql.literal(judge.judge)) ~ ' as judge,\n    ' ~ fairsql.text(fairsql.literal(judge.prompt_version)) ~ ' as prompt_version,\n    '
        ~ fairsql.text(fairsql.literal(judge.model)) ~ " as model,\n    " ~ fairsql.text("'in_warehouse'") ~ " as provider,\n    input_hash,\n    score,\n    case when score is not null then label end as label,\n    case when score is not null then reason end as reason,\n    case when score is null then coalesce(reply_error, " ~ nothing
        ~ ') end as error,\n    ' ~ fairsql.bigint('input_tokens') ~ ' as input_tokens,\n    ' ~ fairsql.bigint('output_tokens') ~ ' as output_tokens,\n    ' ~ fairsql.double('null') ~ ' as cost,\n    ' ~ fairsql.double('null') ~ ' as seconds,\n    '
        ~ fairsql.text(fairsql.literal(run_started_at.strftime('%Y-%m-%dT%H:%M:%SZ'))) ~ ' as judged_at\nfrom ' ~ source
    ) -}}
{% endmacro %}


{# The JSON Schema of the replies of a judge, as nested values: every field required, no other allowed. #}
{% macro reply_schema(judge) %}
    {%- set properties = {} -%}
    {%- for field in judge.fields -%}
        {%- set schema = {'type': 'string'} -%}
        {%- if field == 'score' -%}
            {%- set schema = {'type': 'number', 'enum': judge.scale} -%}
        {%- elif field == 'answer' -%}
            {%- set schema = {'type': 'string', 'enum': ['yes', 'no']} -%}
        {%- elif field in ['category', 'choice'] -%}
            {%- set values = [] -%}
            {%- for value in judge.labels -%}{%- do values.append(value) -%}{%- endfor -%}
            {%- set schema = {'type': 'string', 'enum': values} -%}
        {%- endif -%}
        {%- do properties.update({field: schema}) -%}
    {%- endfor -%}
    {{- return({'type': 'object', 'properties': properties, 'required': judge.fields, 'additionalProperties': false}) -}}
{% endmacro %}


{# Nested values as JSON, or with `is_sql` as literals of mappings and lists. #}
{% macro nested(value, is_sql=false) %}
    {%- set parts = [] -%}
    {%- if value is none -%}
        {{- return('null') -}}
    {%- elif value is boolean -%}
        {{- return('true' if value else 'false') -}}
    {%- elif value is string -%}
        {{- return(fairsql.literal(value) if is_sql else '"' ~ value | replace('\\', '\\\\') | replace('"', '\\"') | replace('\n', '\\n') ~ '"') -}}
    {%- elif value is number -%}
        {{- return(value | string) -}}
    {%- elif value is mapping -%}
        {%- for key, item in value.items() -%}
            {%- do parts.append(fairsql.nested(key, is_sql) ~ ': ' ~ fairsql.nested(item, is_sql)) -%}
        {%- endfor -%}
        {{- return('{' ~ parts | join(', ') ~ '}') -}}
    {%- endif -%}
    {%- for item in value -%}{%- do parts.append(fairsql.nested(item, is_sql)) -%}{%- endfor -%}
    {{- return('[' ~ parts | join(', ') ~ ']') -}}
{% endmacro %}


{# The call of the warehouse's AI function. Where it has none, `ai_function` of the judge names one: of a model, a prompt,
   parameters in JSON and the JSON Schema of the reply it makes a text, an object in JSON of `value`, the reply as a text, and
   of `error`, one of them null. #}
{% macro ai_reply(judge, prompt) %}{{ return(adapter.dispatch('fairsql_ai_reply', 'fairsql')(judge, prompt)) }}{% endmacro %}
{% macro default__fairsql_ai_reply(judge, prompt) %}
    {%- if judge.ai_function is none -%}
        {%- do exceptions.raise_compiler_error('fairsql.judgements: this warehouse has no AI function that fairsql knows; give ai_function, or ask a provider: fairsql judge.') -%}
    {%- endif -%}
    {{- return(
        judge.ai_function ~ '(\n            ' ~ fairsql.literal(judge.model) ~ ',\n            ' ~ prompt ~ ',\n            ' ~ fairsql.literal(fairsql.nested(judge.parameters))
        ~ ',\n            ' ~ fairsql.literal(fairsql.nested(fairsql.reply_schema(judge))) ~ '\n        )'
    ) -}}
{% endmacro %}


{# Why the function failed, and null where it did not. #}
{% macro ai_error(reply) %}{{ return(adapter.dispatch('fairsql_ai_error', 'fairsql')(reply)) }}{% endmacro %}
{% macro default__fairsql_ai_error(reply) %}{{ return('nullif(' ~ fairsql.json_field(reply, 'error') ~ ", '')") }}{% endmacro %}


{# What was answered, of which ai_field takes a field. #}
{% macro ai_value(reply) %}{{ return(adapter.dispatch('fairsql_ai_value', 'fairsql')(reply)) }}{% endmacro %}
{% macro default__fairsql_ai_value(reply) %}{{ return(fairsql.json_field(reply, 'value')) }}{% endmacro %}

{% macro ai_field(value, field) %}{{ return(adapter.dispatch('fairsql_ai_field', 'fairsql')(value, field)) }}{% endmacro %}
{% macro default__fairsql_ai_field(value, field) %}{{ return(fairsql.json_field(value, field)) }}{% endmacro %}


{# How many tokens were read (`input`) or written (`output`); null where the function does not say. #}
{% macro ai_tokens(reply, side) %}{{ return(adapter.dispatch('fairsql_ai_tokens', 'fairsql')(reply, side)) }}{% endmacro %}
{% macro default__fairsql_ai_tokens(reply, side) %}{{ return(fairsql.bigint('null')) }}{% endmacro %}


{# A field of an object in JSON as text; null where the text is no object in JSON, whatever it is. #}
{% macro json_field(text, field) %}{{ return(adapter.dispatch('fairsql_json_field', 'fairsql')(text, field)) }}{% endmacro %}
{% macro default__fairsql_json_field(text, field) %}
    {{- return('case when is_valid_json(' ~ text ~ ') then json_extract_path_text(' ~ text ~ ", '" ~ field ~ "', true) end") -}}
{% endmacro %}


{# The number that a text is; null where it is none. #}
{% macro number_in_text(text) %}{{ return(adapter.dispatch('fairsql_number_in_text', 'fairsql')(text)) }}{% endmacro %}
{% macro default__fairsql_number_in_text(text) %}
    {{- return("case when " ~ text ~ " ~ '^-?[0-9]{1,15}([.][0-9]{1,20})?$' then " ~ fairsql.double(text) ~ ' end') -}}
{% endmacro %}
