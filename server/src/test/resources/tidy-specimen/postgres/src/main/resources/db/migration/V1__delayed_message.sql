-- Found by its folder.
create table delayed_message (id text);
