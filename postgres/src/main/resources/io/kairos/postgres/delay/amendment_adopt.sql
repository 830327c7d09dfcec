-- Makes another node tell outcomes that a node has decided, of the routes that the other one serves. Index:
-- amendment_untold. Locks the rows; bounded by the outcomes that the node had not told, which its results steps keep few.
update amendment
set decided_by = :to::uuid
where decided_by = :from::uuid
  and route_id = any (:routes::integer[])
  and outcome is not null
  and reply_partition is not null
