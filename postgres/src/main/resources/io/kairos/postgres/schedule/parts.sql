-- Parts that several statements of this folder share; a statement names a part in braces. The statement says which index
-- serves it, what it locks and how many rows it has.

-- The columns of a definition, and what is written to them.
{definition}:
generation, updated_at, rule_kind, rule_text, dialect, day_match, zone, gap, repeated, start_at, end_at, max_runs,
spread_micros, queue_id, route_id, topic, payload, message_key, message_headers, max_attempts, backoff_initial_micros,
backoff_factor, backoff_max_micros, execution_timeout_micros, ordering_key, collection, fairness_key, fairness_weight, overlap, catch_up,
catch_up_window_micros, catch_up_max, deadline_micros, pause_on_failure, decider, steps, step_payloads

{defined}:
:generation, :updated_at, :rule_kind::text, :rule_text::text, :dialect::text, :day_match::text, :zone::text, :gap::text,
:repeated::text, :start_at::bigint, :end_at::bigint, :max_runs::bigint, :spread_micros, :queue_id::integer,
:route_id::integer, :topic::text, :payload::bytea, :message_key::bytea, :message_headers::bytea,
:max_attempts::integer, :backoff_initial_micros::bigint, :backoff_factor::double precision, :backoff_max_micros::bigint,
:execution_timeout_micros::bigint, :ordering_key::text, :collection::text, :fairness_key::text, :fairness_weight::integer, :overlap::text, :catch_up::text,
:catch_up_window_micros, :catch_up_max, :deadline_micros::bigint, :pause_on_failure, :decider::text, :steps::bytea, :step_payloads::bytea

-- The end of the last run of schedule s, when all of its tasks have ended: a failure for good goes before other ends.
{last_end}:
select case when bool_or(f.state in ('F', 'D')) then 'D' else max(f.state::text) end as state, max(f.finished_at) as finished_at
from finished_task f
where f.id >= s.last_run
  and f.id <= (left(s.last_run::text, 34) || 'ff')::uuid
  and not exists (
    select from task t where t.id >= s.last_run and t.id <= (left(s.last_run::text, 34) || 'ff')::uuid)

-- The calendars that a schedule names, as ScheduleRows reads them.
{calendars}:
array(
  select c.kind || ' ' || c.calendar from schedule_calendar c where c.schedule_id = s.id order by c.calendar, c.kind
) as calendars

-- A schedule s of a list, with its queue q: all of it but its payload, which may be large. That of a pool has the method, the path and
-- the headers of the request as well.
{shown}:
s.id, s.name, s.generation, s.created_at, s.updated_at, s.rule_kind, s.rule_text, s.dialect, s.day_match, s.zone, s.gap,
s.repeated, s.start_at, s.end_at, s.max_runs, s.spread_micros, s.route_id, s.topic,
case when q.handler like 'pool:%' then s.payload else ''::bytea end as payload, s.message_key,
s.message_headers, s.max_attempts, s.backoff_initial_micros, s.backoff_factor, s.backoff_max_micros, s.execution_timeout_micros,
s.ordering_key, s.collection, s.fairness_key, s.fairness_weight, s.overlap, s.catch_up, s.catch_up_window_micros, s.catch_up_max,
s.deadline_micros, s.pause_on_failure, s.decider, s.steps, null::bytea as step_payloads, s.status, s.note, s.since, s.decided_to, s.next_at, s.runs, s.last_run, q.handler, q.priority,
{calendars}

-- The rest of a list: the page of schedules p, and what is read with each.
{listed}:
p.name > :after::text
and p.name >= :prefix::text
and p.name < :prefix::text || '~'
and (:last_looked::text is null or p.name <= :last_looked::text)
and (cardinality(:patterns::text[]) = 0 or p.name like any (:patterns::text[]))
and (cardinality(:statuses::text[]) = 0 or p.status = any (:statuses::text[]))
order by p.name
limit :max_schedules::integer) s
left join lateral (select f.handler, f.priority from task_queue f where f.id = s.queue_id offset 0) q on true
order by s.name

-- Makes a schedule due for a decision now; fire times that have passed stay as they were.
{looked_at_now}:
next_at = least(s.next_at, (select micros from clock)),
decided_to = case
  when s.put_off or s.rule_kind = 'DELAY' then s.decided_to
  else greatest(s.decided_to, least((select micros from clock), s.next_at - 1))
end

-- The clock after the locks.
{clock_when_locked}:
clock as materialized (
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros from (select count(*) from locked) l
)
