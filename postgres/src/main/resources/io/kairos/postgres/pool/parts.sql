-- Parts that several statements of this folder share; a statement names a part in braces. The statement says which index
-- serves it, what it locks and how many rows it has.

-- The columns of a definition, and what is written to them.
{definition}:
generation, kind, urls, routing, ejection_failures, ejection_pause, ejection_ramp_up, health_path, request_timeout,
completion_timeout, answers_later, max_in_flight, tls

{defined}:
nextval('pool_generation'), :kind::"char", :urls::text[], :routing::"char", :ejection_failures, :ejection_pause,
:ejection_ramp_up, :health_path, :request_timeout, :completion_timeout, :answers_later, :max_in_flight, :tls
