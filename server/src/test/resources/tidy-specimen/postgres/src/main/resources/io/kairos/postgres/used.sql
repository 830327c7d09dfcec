-- A class names this.
select 1;
