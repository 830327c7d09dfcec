-- A node departs by retiring or by the verdict of another node, not by the store's clock: retired_at says when.
alter table node add column suspected boolean not null default false;
