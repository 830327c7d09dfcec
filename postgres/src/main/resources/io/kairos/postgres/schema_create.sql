-- Creates the schema that the session's search_path names, when there is none. A path of the user's own has several names, or
-- "$user", and is left as it is. Run in a node's turn to migrate.
do $$
begin
  if current_schema() is null and current_setting('search_path') !~ '[,$]' then
    execute 'create schema ' || current_setting('search_path');
  end if;
end
$$
