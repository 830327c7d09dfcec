-- Stores a new pool; no row when the name is taken. Index: http_pool_pkey. Locks the row.
insert into http_pool (
  name, generation, kind, urls, routing, ejection_failures, ejection_pause, ejection_ramp_up, health_path, request_timeout,
  completion_timeout, answers_later, max_in_flight)
values (
  :name, nextval('pool_generation'), :kind::"char", :urls::text[], :routing::"char", :ejection_failures, :ejection_pause,
  :ejection_ramp_up, :health_path, :request_timeout, :completion_timeout, :answers_later, :max_in_flight)
on conflict (name) do nothing
