package io.kairos.postgres;

/**
 * Facts about a server, as {@code session.sql} reads them on every new connection.
 *
 * @param server host and port, for messages
 * @param cluster identifier that a server shares with its standbys only
 * @param timeline number that rises with each promotion of a standby; 0 on a standby
 * @param asynchronous whether it has standbys and waits for none of them
 */
record ServerState(
    String server,
    StoreSafety safety,
    boolean inRecovery,
    String cluster,
    int timeline,
    boolean asynchronous) {}
