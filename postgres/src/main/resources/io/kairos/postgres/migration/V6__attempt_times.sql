-- When the latest attempt began; null for none. With the failures of attempts their beginning, class and outcome are kept.
alter table task add column attempt_began bigint;
alter table finished_task add column attempt_began bigint;
