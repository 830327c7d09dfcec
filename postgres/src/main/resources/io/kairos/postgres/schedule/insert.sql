-- Stores a new schedule unless its name is taken. Index: writes all. Waits for a transaction that is storing one of the same
-- name; one row or none.
insert into schedule (
  id, name, generation, created_at, updated_at, rule_kind, rule_text, dialect, day_match, zone, gap, repeated, start_at,
  end_at, max_runs, spread_micros, queue_id, route_id, topic, payload, message_key, message_headers, max_attempts,
  backoff_initial_micros, backoff_factor, backoff_max_micros, execution_timeout_micros, ordering_key, collection, overlap,
  catch_up, catch_up_window_micros, catch_up_max, deadline_micros, pause_on_failure, decider, status, note, since,
  decided_to, next_at, runs, last_run)
values (
  :id::uuid, :name::text, :generation, :created_at, :updated_at, :rule_kind::text, :rule_text::text, :dialect::text,
  :day_match::text, :zone::text, :gap::text, :repeated::text, :start_at::bigint, :end_at::bigint, :max_runs::bigint,
  :spread_micros, :queue_id::integer, :route_id::integer, :topic::text, :payload::bytea, :message_key::bytea,
  :message_headers::bytea, :max_attempts::integer, :backoff_initial_micros::bigint, :backoff_factor::double precision,
  :backoff_max_micros::bigint, :execution_timeout_micros::bigint, :ordering_key::text, :collection::text, :overlap::text,
  :catch_up::text, :catch_up_window_micros, :catch_up_max, :deadline_micros::bigint, :pause_on_failure, :decider::text,
  :status::text, :note::text, :since, :decided_to, :next_at::bigint, :runs, null)
on conflict (name) do nothing
