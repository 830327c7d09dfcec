-- Ends the notifications of a connection that goes back to its application. No index, no locks, no rows.
unlisten *
