-- Who says that a schedule's time has come: the nodes, or a replicated cron, which asks for its schedules by name. Nodes
-- of before this migration know only what they decide themselves: nobody gives them anything else while they are there.
alter table schedule
  add column decider text not null default 'NODE' check (decider in ('NODE', 'REPLICATED'));

-- What the nodes ask for every second must not grow with what waits for a replicated cron, perhaps for days: none of its
-- schedules is in the index.
drop index schedule_due;
create index schedule_due on schedule (next_at) where next_at is not null and decider = 'NODE';

-- Those of a replicated cron, by name: as it asks for them, and as it looks for new ones.
create index schedule_replicated on schedule (name) where decider = 'REPLICATED';
