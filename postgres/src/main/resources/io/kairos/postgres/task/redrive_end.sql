-- The id up to which a redrive searches: of each of these states the id that is :max_looked above :after; the least of
-- them. No row when no state has so many. Index: finished_task_other. No locks; passes over :max_looked entries of each
-- state.
select o.id
from unnest(:states::text[]) s (state)
cross join lateral (
  select f.id
  from finished_task f
  where {ended_otherwise} and (f.state, f.id) <= (s.state::"char", 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
  order by f.state, f.id
  offset :max_looked::integer limit 1) o
order by o.id
limit 1
