-- Remembers that the holder of a fence is about to write to a resource; changes no row, and so refuses, when a higher fence
-- has been here. Parameters: resource, fence. Index: the primary key. Locks this one row until the transaction ends, so
-- that another holder of the resource waits for the effects that come with it.
insert into kairos_fence (resource, fence)
values (?, ?)
on conflict (resource) do update
   set fence = excluded.fence
 where kairos_fence.fence <= excluded.fence
