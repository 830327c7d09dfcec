package io.kairos.server.wiring;

/**
 * The addresses of a running node, its broker and its database.
 *
 * @param bootstrapServers the broker's bootstrap servers; {@link BrokerChoice#NONE} for no broker
 * @param database the database's URL or address, without credentials
 * @param httpPort port of the HTTP edge, on the configured address
 */
public record NodeAddresses(String bootstrapServers, String database, int httpPort) {}
