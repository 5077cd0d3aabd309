{# What can be told of one answer without a model: whether it refuses, insults, praises or blames, by lists of words. Every
   list stands in macros/llm/lexicons; here stands how words are compared. #}


{# A text as words in lower case: apostrophes of any form are left out, so that can't, can’t and cant are one word, the end of
   a sentence is `|`, other punctuation is space. Two spaces stand between words and one at each end, so that each word has
   the spaces of its own that a pattern can take. #}
{% macro plain_words(text) %}
    {%- set apostrophes = "'’‘‛ʼ＇`´" -%}
    {%- set ends = '.!?;' -%}
    {%- set others = [] -%}
    {%- for character in fairsql.punctuation() if character not in apostrophes and character not in ends -%}
        {%- do others.append(character) -%}
    {%- endfor -%}
    {%- set told_apart = 'translate(' ~ fairsql.lower_case(text) ~ ', ' ~ fairsql.literal(ends ~ others | join ~ apostrophes) ~ ', '
        ~ fairsql.literal('|' * ends | length ~ ' ' * others | length) ~ ')' -%}
    {{- return("' ' || replace(" ~ fairsql.spaced('replace(' ~ told_apart ~ ", '|', ' | ')") ~ ", ' ', '  ') || ' '") -}}
{% endmacro %}


{# A phrase of a list, or of a user's, as the same words. #}
{% macro plain_phrase(phrase) %}
    {%- set letters = [] -%}
    {%- for character in phrase | string | lower -%}
        {%- if character not in "'’‘‛ʼ＇`´" -%}
            {%- do letters.append(' ' if character in fairsql.punctuation() else character) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return((letters | join).split() | join('  ')) -}}
{% endmacro %}


{# A regular expression of any of these phrases, each once; `patterns` are further ones, of words with one space between. #}
{% macro any_phrase(phrases, patterns=[]) %}
    {%- set plain = [] -%}
    {%- for pattern in patterns -%}{%- do plain.append(pattern | replace(' ', '  ')) -%}{%- endfor -%}
    {%- for phrase in phrases -%}
        {%- set words = fairsql.plain_phrase(phrase) -%}
        {%- do plain.append(words) if words and words not in plain -%}
    {%- endfor -%}
    {{- return('(' ~ plain | join('|') ~ ')') -}}
{% endmacro %}


{# A regular expression of a negation, and of up to three words between it and what it is about. #}
{% macro any_negation() %}
    {{- return(fairsql.any_phrase(fairsql.negations()) ~ '  (' ~ fairsql.any_phrase(fairsql.words_between()) ~ '  ){0,3}') -}}
{% endmacro %}


{# A text's words without the idioms that have a refusal's words. #}
{% macro without_idioms(words) %}
    {%- set patterns = [] -%}
    {%- for idiom in fairsql.refusal_idioms() -%}
        {%- do patterns.append(idiom | replace(' ', '  ') | replace('*', '([^ |]+  ){0,8}')) -%}
    {%- endfor -%}
    {{- return(fairsql.replace_all(words, ' (' ~ patterns | join('|') ~ ') ', ' ')) -}}
{% endmacro %}


{# 1 for a text that holds one of the phrases of a refusal, 0 for another, null where there is none. #}
{% macro refusal_flag(text, phrases=none) %}
    {%- set refusal = fairsql.any_phrase(phrases) if phrases else fairsql.any_phrase(fairsql.refusal_phrases(), fairsql.refusal_patterns()) -%}
    {%- set marked = fairsql.replace_all(fairsql.without_idioms(fairsql.plain_words(text)), ' ' ~ refusal ~ ' ', ' # ') -%}
    {{- return(fairsql.flag_of(text, fairsql.holds_text(marked, '#'))) -}}
{% endmacro %}


{# 1 for a text that holds a toxic word that is not negated. #}
{% macro toxicity_flag(text, phrases=none) %}
    {%- set toxic = fairsql.any_phrase(phrases or fairsql.toxic_words()) -%}
    {%- set left = fairsql.replace_all(fairsql.plain_words(text), ' ' ~ fairsql.any_negation() ~ toxic ~ ' ', ' ') -%}
    {{- return(fairsql.flag_of(text, fairsql.holds_text(fairsql.replace_all(left, ' ' ~ toxic ~ ' ', ' # '), '#'))) -}}
{% endmacro %}


{# 1 where a condition holds of a text, 0 where it does not, null where there is no text. #}
{% macro flag_of(text, condition) %}
    {{- return('case when ' ~ text ~ ' is null then null when ' ~ condition ~ ' then 1 else 0 end') -}}
{% endmacro %}


{# A text's words in which `+` stands for a word of praise, or of blame that is negated, and `<` for the contrary. #}
{% macro marked_sentiment(text) %}
    {%- set positive = fairsql.any_phrase(fairsql.positive_words()) -%}
    {%- set negative = fairsql.any_phrase(fairsql.negative_words()) -%}
    {%- set marks = namespace(words=fairsql.without_idioms(fairsql.plain_words(text))) -%}
    {%- for pattern, mark in [
        [fairsql.any_negation() ~ positive, '<'], [fairsql.any_negation() ~ negative, '+'], [positive, '+'], [negative, '<']
    ] -%}
        {%- set marks.words = fairsql.replace_all(marks.words, ' ' ~ pattern ~ ' ', ' ' ~ mark ~ ' ') -%}
    {%- endfor -%}
    {{- return(marks.words) -}}
{% endmacro %}


{# 1 for a text that holds more words of blame than of praise. #}
{% macro negativity_flag(text) %}
    {%- set marked = fairsql.marked_sentiment(text) -%}
    {{- return(fairsql.flag_of(text, fairsql.occurrences(marked, '<') ~ ' > ' ~ fairsql.occurrences(marked, '+'))) -}}
{% endmacro %}


{# How often a mark stands in a text. #}
{% macro occurrences(text, mark) %}
    {{- return('(length(' ~ text ~ ') - length(replace(' ~ text ~ ", '" ~ mark ~ "', '')))") -}}
{% endmacro %}


{# The share of distinct words of two texts that both have (Jaccard), from what fairsql.words() made of each; 1 where neither
   has a word. #}
{% macro words_jaccard(first, second) %}{{ return(adapter.dispatch('fairsql_words_jaccard', 'fairsql')(first, second)) }}{% endmacro %}
