-- Writes a definition that was read under the lock of pool_lock.sql. Index: http_pool_pkey. One row.
update http_pool
set
  generation = nextval('pool_generation'),
  kind = :kind::"char",
  urls = :urls::text[],
  routing = :routing::"char",
  ejection_failures = :ejection_failures,
  ejection_pause = :ejection_pause,
  ejection_ramp_up = :ejection_ramp_up,
  health_path = :health_path,
  request_timeout = :request_timeout,
  completion_timeout = :completion_timeout,
  answers_later = :answers_later,
  max_in_flight = :max_in_flight
where name = :name
