-- No class names this.
select 1;
