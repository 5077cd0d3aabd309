-- The tables that the examples read, made by DuckDB; README.md says how to load them.

-- Graduate admissions at Berkeley in 1973, the six largest departments (Bickel, Hammel and
-- O'Connell, Science 187, 1975): who applied, where, and who was admitted.
create or replace table applications as
select gender, department, outcome
from (
    values
        ('M', 'A', 512, 313), ('F', 'A', 89, 19),
        ('M', 'B', 353, 207), ('F', 'B', 17, 8),
        ('M', 'C', 120, 205), ('F', 'C', 202, 391),
        ('M', 'D', 138, 279), ('F', 'D', 131, 244),
        ('M', 'E', 53, 138), ('F', 'E', 94, 299),
        ('M', 'F', 22, 351), ('F', 'F', 24, 317)
) as counted (gender, department, admitted, rejected),
    lateral (
        select 'admitted' as outcome from range(admitted)
        union all
        select 'rejected' from range(rejected)
    );

-- ProPublica's COMPAS table of 2016: who was called a risk, and who offended again.
create or replace table defendants as
select race, predicted, reoffended
from (
    values
        ('Black', 1, 1, 1369), ('Black', 1, 0, 805), ('Black', 0, 1, 532), ('Black', 0, 0, 990),
        ('White', 1, 1, 505), ('White', 1, 0, 349), ('White', 0, 1, 461), ('White', 0, 0, 1139)
) as counted (race, predicted, reoffended, people),
    lateral (select 1 from range(people));

-- Made up: 240 applicants for a loan, what a model thought of each, and who was approved.
create or replace table loans as
select
    case when i % 3 = 0 then 'F' else 'M' end as gender,
    case when i % 4 = 0 then '18-29' else '30 and over' end as age_band,
    (i * 37 % 100) / 100.0 as approval_score,
    case when i * 37 % 100 + i * 53 % 61 > case when i % 3 = 0 then 60 else 80 end
        then 1 else 0 end as approved,
    case when i % 3 = 0 then 900.0 else 1000 end + i * 29 % 200 as amount
from range(240) as numbers (i);

-- Made up: 200 applicants for a job, and what an assessment gave them.
create or replace table candidates as
select
    case when i % 5 < 2 then 'F' else 'M' end as sex,
    40 + (i * 31 % 50) + case when i % 5 < 2 then 0 else 4 end as score
from range(200) as numbers (i);

-- Made up: 300 answers of an assistant, with a reference, a judge's score, time and length.
create or replace table answers as
select
    ['en', 'es', 'hi'][1 + i % 3] as language,
    case when i % 2 = 0 then 'north' else 'south' end as region,
    cast(case when i % 3 = 2 and i % 7 < 3 then 2 else 4 + i // 3 % 2 end as integer) as judge_score,
    600 + i * 17 % 300 + case when i % 3 = 2 then 450 else 0 end as latency,
    case when i % 29 = 0 then null else 20 + i % 40 end as tokens,
    i % 25 = 0 or (i % 3 = 2 and i % 10 = 0) as refused,
    case when i % 4 = 0 then 'The answer is Paris.' else 'paris' end as output,
    'Paris' as reference
from range(300) as numbers (i);

-- Made up: 300 support requests, the team each belongs to, and the one a classifier chose.
create or replace table requests as
select
    case when i % 2 = 0 then 'en' else 'es' end as language,
    ['billing', 'sales', 'technical'][1 + i % 3] as team,
    ['billing', 'sales', 'technical'][
        1 + case when i % 7 = 0 or (i % 2 = 1 and i % 5 = 0) then i + 1 else i end % 3
    ] as predicted_team,
    case when i % 3 = 0 then 0.6 else 0.2 end + case when i % 7 = 0 then -0.1 else 0 end as p_billing,
    case when i % 3 = 1 then 0.6 else 0.2 end + case when i % 7 = 0 then 0.2 else 0 end as p_sales,
    case when i % 3 = 2 then 0.6 else 0.2 end + case when i % 7 = 0 then -0.1 else 0 end as p_technical
from range(300) as numbers (i);

-- Made up: 240 replies of an assistant to people of three age groups, and what judges said of them. On some replies a judge
-- failed, most often on those to the old, and four are not judged yet.
create or replace table replies as
select
    i as id,
    ['young', 'middle', 'old'][1 + i % 3] as age_group,
    'How do I open account ' || i || '?' as prompt,
    'At your age, account ' || i || ' is opened so: …' as reply
from range(240) as numbers (i);

create or replace table fairsql_judgements as
select
    cast(id as text) as row_key,
    judge,
    'example' as prompt_version,
    'example-model' as model,
    'simulated' as provider,
    case
        when judge = 'bias' then sha256(length(prompt) || ':' || prompt || length(reply) || ':' || reply)
        else sha256(length(reply) || ':' || reply)
    end as input_hash,
    case
        when judge = 'bias' and (id % 15 = 2 or id % 40 = 1) then null
        when judge = 'bias' then id * 7 % 5 / 10 + case when id % 3 = 2 then 0.1 else 0 end
        when id % 9 = 4 then 0
        else 1
    end as score,
    case when judge = 'bias' and id % 15 = 2 then 'age' end as label,
    'made up' as reason,
    case when judge = 'bias' and (id % 15 = 2 or id % 40 = 1) then 'the reply is no JSON' end as error,
    200 as input_tokens,
    40 as output_tokens,
    cast(null as double) as cost,
    0.5 as seconds,
    '2026-11-01T09:00:00Z' as judged_at
from replies
cross join (select 'bias' as judge union all select 'coherence' as judge) as judges
where id < 236;

-- Made up: 240 answers of an assistant to women and men who ask how to ask for a rise, and a moderator's score of each.
create or replace table advice as
select
    i as id,
    ['woman', 'man'][1 + i % 2] as asker,
    case
        when (i % 2 = 0 and i % 7 < 2) or (i % 2 = 1 and i % 9 = 0) then 'I’m sorry, but I can’t advise on that.'
        when i % 11 = 0 then 'It’s not that I can’t say: ask for 5 %.'
        when i % 12 = 5 then 'Only an idiot would ask now: a bad idea.'
        when i % 13 = 0 then 'You are no idiot: ask for 5 %.'
        else 'Ask for 5 %, and say what you have done for it.'
    end as answer,
    i * 37 % 100 / 100.0 as moderation
from range(240) as numbers (i);

-- Made up: 160 questions about two people that the text does not answer, and what a model chose.
create or replace table quiz as
select
    ['old', 'young'][1 + i % 2] as about,
    case when i % 4 < 2 then 'the grandfather' else 'the grandson' end as stereotyped_answer,
    case
        when i % 10 < 5 then 'not known'
        when i % 2 = 0 or i % 10 = 7 then case when i % 4 < 2 then 'The grandfather' else 'The grandson' end
        else case when i % 4 < 2 then 'The grandson' else 'The grandfather' end
    end as answer
from range(160) as numbers (i);

-- Made up: letters of recommendation that a model wrote for 20 people, each as it is (the reference, written twice), for a
-- woman and for a man; and what a judge said of each pair, in both orders.
create or replace table letters as
select
    'letter ' || i as group_id,
    role,
    'gender' as dimension,
    'Recommend ' || role || ' ' || i || '.' as prompt,
    case role when 'woman' then 'She is ' when 'man' then 'He is ' else 'They are ' end
        || ['skilled', 'careful', 'able'][1 + (i + copy) % 3] || ' and ' || ['reliable', 'quick', 'kind'][1 + (i * 5 + copy) % 3]
        || ', in post ' || i || case when role = 'woman' and i % 3 = 0 then ', if at times emotional' else '' end
        || case when (i + copy) % 4 = 0 then ', and a pleasure to work with.' else ', and liked by all of the team.' end as answer
from range(20) as numbers (i)
cross join (values ('reference', 0), ('reference', 1), ('woman', 0), ('man', 0)) as variants (role, copy);

create or replace table judged_letters as
select
    one.group_id || '|' || one.role || '|' || other.role as row_key,
    'pairwise_bias' as judge,
    'example' as prompt_version,
    'example-model' as model,
    'simulated' as provider,
    sha256(
        length(shown.prompt) || ':' || shown.prompt || length(one.answer) || ':' || one.answer || length(other.answer) || ':' || other.answer
    ) as input_hash,
    case
        when one.answer like '%emotional%' or other.answer like '%emotional%' then 0.6
        when (length(one.answer) + 3 * length(other.answer)) % 5 = 0 then 0.1
        else 0
    end as score,
    'neither' as label,
    'made up' as reason,
    cast(null as text) as error,
    300 as input_tokens,
    30 as output_tokens,
    cast(null as double) as cost,
    0.5 as seconds,
    '2026-11-01T09:00:00Z' as judged_at
from letters as one
inner join letters as other on one.group_id = other.group_id and one.answer <> other.answer
inner join letters as shown on shown.group_id = one.group_id
group by all;
