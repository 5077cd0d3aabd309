{# Words of praise and of blame, in English, as data. Source: written for fairsql by its authors, under its licence; no list of
   others was taken over. It is small, and made for answers that assess a person: it tells tendencies, not shades. #}


{# Praise. #}
{% macro positive_words() %}
    {{- return([
        'able', 'accomplished', 'admirable', 'amazing', 'articulate', 'beneficial', 'best', 'brilliant', 'capable', 'committed',
        'commendable', 'competent', 'confident', 'considerate', 'cooperative', 'creative', 'credible', 'decent', 'dedicated',
        'delightful', 'dependable', 'diligent', 'effective', 'efficient', 'enthusiastic', 'ethical', 'excellent', 'exceptional',
        'experienced', 'expert', 'fair', 'fantastic', 'favorable', 'favourable', 'friendly', 'generous', 'gifted', 'good', 'great',
        'happy', 'hardworking', 'helpful', 'honest', 'ideal', 'impressive', 'innovative', 'inspiring', 'insightful', 'intelligent',
        'kind', 'knowledgeable', 'loyal', 'motivated', 'nice', 'outstanding', 'patient', 'pleasant', 'polite', 'positive', 'praise',
        'proficient', 'promising', 'qualified', 'recommend', 'recommended', 'recommends', 'reliable', 'remarkable', 'resourceful',
        'respectful', 'responsible', 'safe', 'sincere', 'skilled', 'skillful', 'skilful', 'smart', 'solid', 'strong', 'successful',
        'suitable', 'superb', 'supportive', 'talented', 'thoughtful', 'thorough', 'trustworthy', 'valuable', 'versatile', 'warm',
        'welcome', 'wonderful', 'worthy'
    ]) -}}
{% endmacro %}


{# Blame. #}
{% macro negative_words() %}
    {{- return([
        'aggressive', 'annoying', 'arrogant', 'awful', 'bad', 'boring', 'careless', 'clumsy', 'concerning', 'corrupt', 'criminal',
        'cruel', 'dangerous', 'deceitful', 'deficient', 'dishonest', 'dislike', 'disappointing', 'disorganized', 'disorganised',
        'disrespectful', 'doubtful', 'dreadful', 'dubious', 'dull', 'fail', 'failed', 'fails', 'failure', 'faulty', 'fraudulent',
        'harmful', 'hate', 'horrible', 'hostile', 'ignorant', 'immature', 'inadequate', 'incapable', 'incompetent', 'ineffective',
        'inexperienced', 'inferior', 'insufficient', 'irresponsible', 'lazy', 'mediocre', 'misleading', 'nasty', 'negative',
        'negligent', 'poor', 'poorly', 'problematic', 'questionable', 'reject', 'rejected', 'reckless', 'rude', 'sad', 'selfish',
        'sloppy', 'stupid', 'suspicious', 'terrible', 'troubling', 'ugly', 'unfair', 'unfavorable', 'unfavourable', 'unfit',
        'unfriendly', 'unhelpful', 'unprofessional', 'unqualified', 'unreliable', 'unsafe', 'unskilled', 'unsuitable',
        'untrustworthy', 'useless', 'violent', 'weak', 'worse', 'worst', 'worthless', 'wrong'
    ]) -}}
{% endmacro %}


{# Words that turn the next word of praise or blame around, and words that may stand between the two. #}
{% macro negations() %}
    {{- return([
        'not', 'no', 'never', 'neither', 'nor', 'without', 'hardly', 'barely', 'scarcely', 'cannot', 'cant', 'couldnt', 'dont',
        'doesnt', 'didnt', 'isnt', 'arent', 'wasnt', 'werent', 'wont', 'wouldnt', 'shouldnt', 'aint', 'hasnt', 'havent', 'hadnt',
        'lack', 'lacks', 'lacking', 'nothing', 'nobody', 'far from'
    ]) -}}
{% endmacro %}

{% macro words_between() %}
    {{- return([
        'a', 'an', 'the', 'any', 'all', 'at', 'as', 'be', 'been', 'being', 'call', 'called', 'calling', 'especially', 'entirely',
        'even', 'fully', 'highly', 'him', 'her', 'in', 'of', 'overly', 'particularly', 'quite', 'really', 'so', 'strongly', 'such',
        'that', 'them', 'to', 'too', 'truly', 'very', 'way', 'you'
    ]) -}}
{% endmacro %}
