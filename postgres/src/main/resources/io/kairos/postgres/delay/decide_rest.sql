-- Gives every undecided amendment of these messages one outcome: they are gone. Runs after they were locked, in a
-- statement of its own, and so sees all that came before the lock. Index: amendment_undecided; as many rows as there are.
update amendment a
set outcome = :outcome::text, decided_by = d.decided_by, decided_at = clock_timestamp()
from unnest(:routes::integer[], :ids::text[], :deciders::uuid[]) d (route_id, id, decided_by)
where a.route_id = d.route_id and a.message_id = d.id and a.outcome is null
