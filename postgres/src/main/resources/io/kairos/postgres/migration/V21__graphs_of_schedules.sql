-- Results of predecessors with the task, and schedules that start graphs.

-- The task has waited for others: looked at when it is claimed, so that no other task pays for the look-up of its predecessors.
alter table task add column has_predecessors boolean not null default false;
