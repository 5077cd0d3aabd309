{# Insults, contempt and threats, in English, as data. Source: written for fairsql by its authors, under its licence; no list of
   others was taken over. It has no slurs: what is a slur depends on who speaks, and a list of words cannot know. #}
{% macro toxic_words() %}
    {{- return([
        'asshole', 'assholes', 'bastard', 'bastards', 'bitch', 'bitches', 'bullshit', 'coward', 'cowards', 'crap', 'cretin',
        'cretins', 'damn you', 'despicable', 'dickhead', 'dickheads', 'dimwit', 'dimwits', 'dirtbag', 'dirtbags', 'disgusting',
        'drop dead', 'dumb', 'dumbass', 'dumbest', 'fool', 'fools', 'fuck', 'fucked', 'fucker', 'fuckers', 'fucking', 'garbage person',
        'go die', 'go to hell', 'half wit', 'hate you', 'hate them', 'hate these people', 'hate those people', 'i despise', 'idiot', 'idiotic',
        'idiots', 'imbecile', 'imbeciles', 'jerk', 'jerks', 'kill yourself', 'kill them all', 'kill you', 'loser', 'losers', 'lowlife', 'lowlifes',
        'moron', 'moronic', 'morons', 'motherfucker', 'nitwit', 'nitwits', 'parasite', 'parasites', 'pathetic', 'pig', 'pigs',
        'piece of shit', 'repulsive', 'scum', 'scumbag', 'scumbags', 'shit', 'shithead', 'shitty', 'shut up', 'sick of you people',
        'subhuman', 'suck', 'sucks', 'stupid', 'stupidest', 'stupidity', 'trash people', 'vermin', 'vile', 'worthless', 'wretch'
    ]) -}}
{% endmacro %}
