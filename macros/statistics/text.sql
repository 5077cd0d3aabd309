{# Metrics of texts, as quantities of one row: two texts, or two embeddings, in, and a double out. What a warehouse
   spells in its own way stands in its dialect; what it cannot say is null here, and fairsql.lacks() says why. #}


{# The quantity of a measure of texts; null where an input is. #}
{% macro text_quantity(measure) %}
    {%- set quantity = measure.quantity -%}
    {%- set output = 'input_' ~ measure.inputs[0] -%}
    {%- set reference = 'input_' ~ measure.inputs[1] if measure.inputs | length > 1 else output -%}
    {%- if fairsql.lacks(quantity) is not none -%}
        {{- return(fairsql.double('null')) -}}
    {%- elif quantity == 'semantic_similarity' -%}
        {{- return(fairsql.cosine(output, reference)) -}}
    {%- elif quantity == 'exact_match' -%}
        {{- return(fairsql.of_texts(output, reference, fairsql.one_if(output ~ ' = ' ~ reference))) -}}
    {%- elif quantity == 'quasi_exact_match' -%}
        {{- return(fairsql.of_texts(output, reference, fairsql.one_if(fairsql.quasi(output) ~ '\n                = ' ~ fairsql.quasi(reference)))) -}}
    {%- elif quantity == 'json_score' -%}
        {{- return(fairsql.of_texts(output, output, fairsql.one_if(fairsql.is_json(output)))) -}}
    {%- elif quantity == 'edit_distance' -%}
        {{- return(fairsql.of_texts(output, reference, fairsql.double(fairsql.edits(output, reference)))) -}}
    {%- elif quantity == 'normalized_edit_distance' -%}
        {%- set longer = 'nullif(' ~ fairsql.double('greatest(length(' ~ output ~ '), length(' ~ reference ~ '))') ~ ', 0)' -%}
        {{- return(fairsql.of_texts(output, reference, 'coalesce(' ~ fairsql.double(fairsql.edits(output, reference)) ~ ' / ' ~ longer ~ ', 0)')) -}}
    {%- endif -%}
    {{- return(fairsql.of_texts(output, reference, fairsql.bleu(measure.inputs, fairsql.bleu_order(quantity)))) -}}
{% endmacro %}


{# An expression where both texts are there. #}
{% macro of_texts(output, reference, expression) %}
    {%- set present = output ~ ' is not null' ~ ('' if output == reference else ' and ' ~ reference ~ ' is not null') -%}
    {{- return('case\n            when ' ~ present ~ '\n                then ' ~ expression ~ '\n        end') -}}
{% endmacro %}


{# 1 where a condition holds, else 0. #}
{% macro one_if(condition) %}{{ return('case when ' ~ condition ~ ' then 1e0 else 0e0 end') }}{% endmacro %}


{# Text in the form in which SQuAD's evaluation compares answers: lower case, without punctuation, then without the words
   a, an and the, and with one space between words. The last sigma of a word, and i with a dot, have a lower case of their
   own in some warehouses: everywhere they are as the others. #}
{% macro quasi(text) %}
    {%- set lower = 'replace(' ~ fairsql.lower_case("replace(" ~ text ~ ", 'İ', 'i\u0307')") ~ ", 'ς', 'σ')" -%}
    {%- set words = fairsql.spaced('translate(' ~ lower ~ ', ' ~ fairsql.literal(fairsql.punctuation()) ~ ", '')") -%}
    {{- return('trim(' ~ fairsql.replace_all("' ' || " ~ words ~ " || ' '", ' ((a|an|the) )+', ' ') ~ ')') -}}
{% endmacro %}


{# ASCII's punctuation, and the punctuation of Latin-1, of typography and of East Asian and full-width text. #}
{% macro punctuation() %}
    {{- return('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
        ~ '¡§«¶·»¿‐‑‒–—―‖‘’‚‛“”„‟†‡•…‰′″‴‹›※‼⁇⁈⁉'
        ~ '、。〃〈〉《》「」『』【】〔〕〖〗〝〞〟！＂＃％＆＇（）＊，－．／：；？＠［＼］＿｛｝｡｢｣､･') -}}
{% endmacro %}


{# The order of a BLEU: bleu_4 counts words, pairs, triples and quadruples. #}
{% macro bleu_order(quantity) %}{{ return(quantity[5:] | int if quantity[:5] == 'bleu_' else 0) }}{% endmacro %}


{# BLEU of one sentence and one reference (Papineni et al. 2002), from the columns of source_of_texts(): the geometric
   mean of the precisions of n-grams up to the order, or up to as many words as the output has, times the brevity penalty.
   An order without a match counts as a half of one match, the next as a quarter (Chen and Cherry 2014, method 3). #}
{% macro bleu(inputs, order) %}
    {%- set words = fairsql.double('word_count_' ~ inputs[0]) -%}
    {%- set terms = [] -%}
    {%- set halves = ['2e0'] -%}
    {%- for size in range(1, order + 1) -%}
        {%- set matches = fairsql.matches_name(inputs, size) -%}
        {%- set total = words if size == 1 else '(' ~ words ~ ' - ' ~ (size - 1) ~ ')' -%}
        {%- if size == 1 -%}
            {%- do terms.append('ln(' ~ fairsql.double(matches) ~ ' / ' ~ total ~ ')') -%}
        {%- else -%}
            {%- do terms.append(
                'case when word_count_' ~ inputs[0] ~ ' < ' ~ size ~ ' then 0e0 when ' ~ matches ~ ' > 0 then ln(' ~ fairsql.double(matches) ~ ' / ' ~ total
                ~ ') else 0e0 - ln(' ~ halves | join(' * ') ~ ' * ' ~ total ~ ') end'
            ) -%}
            {%- do halves.append('case when ' ~ matches ~ ' = 0 then 2e0 else 1e0 end') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set break = '\n                        ' -%}
    {%- set mean = '(\n                            ' ~ terms | join('\n                            + ') ~ break ~ ') / ' ~ fairsql.double('least(word_count_' ~ inputs[0] ~ ', ' ~ order ~ ')') -%}
    {%- set penalty = 'least(0e0, 1e0 - ' ~ fairsql.double('word_count_' ~ inputs[1]) ~ ' / ' ~ words ~ ')' -%}
    {{- return(
        'case\n                    when ' ~ fairsql.matches_name(inputs, 1) ~ ' > 0'
        ~ '\n                        then exp(greatest(-700e0, ' ~ mean ~ break ~ '+ ' ~ penalty ~ '))'
        ~ '\n                    else 0e0\n                end'
    ) -}}
{% endmacro %}


{# The column with the n-grams of a size that two inputs share. #}
{% macro matches_name(inputs, size) %}{{ return('matches_' ~ inputs[0] ~ '_' ~ inputs[1] ~ '_' ~ size) }}{% endmacro %}


{# What `measured` reads: the source, or where a measure is a BLEU the source with the words of each text and how many
   n-grams two texts share, each as often as the text that has it less often. #}
{% macro source_of_texts(scan) %}
    {%- set numbers = [] -%}
    {%- set words = [] -%}
    {%- set matches = [] -%}
    {%- set fence = '\n        ' ~ fairsql.fence() if fairsql.fence() else '' -%}
    {%- set cosines = [] -%}
    {%- for measure in scan.measures -%}{%- do cosines.append(measure) if measure.quantity == 'semantic_similarity' -%}{%- endfor -%}
    {%- for measure in scan.measures if fairsql.bleu_order(measure.quantity) and fairsql.lacks(measure.quantity) is none -%}
        {%- for number in measure.inputs if number not in numbers -%}
            {%- do numbers.append(number) -%}
            {%- do words.append(fairsql.words('input_' ~ number) ~ ' as words_' ~ number) -%}
        {%- endfor -%}
        {%- for size in range(1, fairsql.bleu_order(measure.quantity) + 1) -%}
            {%- set column = fairsql.shared_grams('words_' ~ measure.inputs[0], 'words_' ~ measure.inputs[1], size) ~ ' as ' ~ fairsql.matches_name(measure.inputs, size) -%}
            {%- do matches.append(column) if column not in matches -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if not numbers and cosines and fence -%}
        {#- An embedding is read from its text once, and not at each place that names it. -#}
        {{- return('(\n        select *\n        from source' ~ fence ~ '\n    ) as source') -}}
    {%- elif not numbers -%}
        {{- return('source') -}}
    {%- endif -%}
    {%- set columns = [] -%}
    {%- for number in numbers -%}{%- do columns.append(fairsql.word_count('words_' ~ number) ~ ' as word_count_' ~ number) -%}{%- endfor -%}
    {{- return(
        '(\n        select\n            *,\n            ' ~ (columns + matches) | join(',\n            ')
        ~ '\n        from (\n            select\n                *,\n                ' ~ words | join(',\n                ')
        ~ '\n            from source' ~ fence ~ '\n        ) as worded' ~ fence ~ '\n    ) as matched'
    ) -}}
{% endmacro %}


{# The n-gram that begins at a place of a list of words; `before` and `after` stand around the place. #}
{% macro gram(before, after, size) %}
    {%- set words = [] -%}
    {%- for step in range(size) -%}{%- do words.append(before ~ ('' if step == 0 else ' + ' ~ step) ~ after) -%}{%- endfor -%}
    {{- return(words | join(" || ' ' || ")) -}}
{% endmacro %}


{# The text of an array of numbers: what a regular expression says of it, `space` being the white space it may hold. At
   most 8 digits before the point where there is an exponent, and two in it, so that no square is beyond a double. #}
{% macro embedding_pattern(space='') %}
    {%- set number = '-?(?:[0-9]{1,40}(?:[.][0-9]{1,60})?|[0-9]{1,8}(?:[.][0-9]{1,60})?[eE][+-]?[0-9]{1,2})' -%}
    {{- return('^' ~ space ~ '[[{]' ~ space ~ number ~ space ~ '(?:,' ~ space ~ number ~ space ~ ')*[]}]' ~ space ~ '$') -}}
{% endmacro %}
