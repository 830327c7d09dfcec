-- Pools may choose endpoints in turn.
alter table http_pool
  drop constraint http_pool_routing_check,
  add constraint http_pool_routing_check check (routing in ('R', 'L', 'F', 'S', 'T'));
