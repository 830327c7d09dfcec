-- Counts the nodes that run by a build that does not know migration :version. A node that was not renewed for its lapse, and
-- a minute, does not run: when all die at once, nobody is left to declare them dead. The store's clock is good enough here:
-- where it was stepped back the migration is refused, and where it was stepped forward a node that runs loses its life, finds
-- that out when it renews it, and may not enrol anew. By JSON, because before migration 5 there is no such column. Reads the
-- whole table, which has a row per node. No locks; one row.
select count(*)::integer
from node n
where n.retired_at is null
  and n.renewed_at > clock_timestamp() - greatest(n.lapse, interval '1 minute')
  and coalesce((to_jsonb(n) ->> 'schema_known')::integer, 0) < :version::integer
