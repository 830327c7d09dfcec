-- Makes another node tell the outcomes that one has decided, of the routes that it serves. Index: amendment_untold.
-- Locks the rows; bounded by what the node had not told, which its results steps keep small.
update amendment
set decided_by = :to::uuid
where decided_by = :from::uuid
  and route_id = any (:routes::integer[])
  and outcome is not null
  and reply_partition is not null
