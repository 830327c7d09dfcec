-- Makes another node tell the outcomes that one has decided. Index: amendment_untold. Locks the rows; bounded by what
-- the node had not told, which its results step keeps small.
update amendment
set decided_by = :to::uuid
where decided_by = :from::uuid and outcome is not null and reply_partition is not null
