-- All triggers of Quartz with their jobs and the details of their type. Scans the tables with the prefix ${table}, takes no locks.
select t.sched_name, t.trigger_name, t.trigger_group, t.trigger_type, t.trigger_state, t.next_fire_time, t.start_time, t.end_time,
       t.calendar_name, t.misfire_instr, j.job_name, j.job_class_name, j.is_nonconcurrent,
       c.cron_expression, c.time_zone_id, s.repeat_count, s.repeat_interval, s.times_triggered
  from ${table}TRIGGERS t
  join ${table}JOB_DETAILS j on j.sched_name = t.sched_name and j.job_name = t.job_name and j.job_group = t.job_group
  left join ${table}CRON_TRIGGERS c
    on c.sched_name = t.sched_name and c.trigger_name = t.trigger_name and c.trigger_group = t.trigger_group
  left join ${table}SIMPLE_TRIGGERS s
    on s.sched_name = t.sched_name and s.trigger_name = t.trigger_name and s.trigger_group = t.trigger_group
 order by t.sched_name, t.trigger_group, t.trigger_name
