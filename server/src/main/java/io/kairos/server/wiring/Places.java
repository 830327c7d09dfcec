package io.kairos.server.wiring;

/**
 * Where a running node and what it stands on can be reached.
 *
 * @param bootstrapServers of the broker
 * @param database without credentials
 * @param httpPort on the configured address
 */
public record Places(String bootstrapServers, String database, int httpPort) {}
