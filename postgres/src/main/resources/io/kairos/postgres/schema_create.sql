-- Creates the schema that the session's search_path names, when there is none. The path has one name, or is the user's own,
-- which is left as it is. Run in a node's turn to migrate.
do $$
begin
  if current_schema() is null and position(',' in current_setting('search_path')) = 0 then
    execute 'create schema ' || current_setting('search_path');
  end if;
end
$$
