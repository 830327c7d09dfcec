package io.kairos.embedded;

/**
 * A running broker that is the controller of its cluster, as another broker needs to know it to
 * join. Made by {@link EmbeddedKafka#asPeer()}; good until that broker is closed, also while it is
 * down or restarted.
 *
 * @param clusterId of the cluster that the first broker founded
 * @param controllerPort of 127.0.0.1, for brokers and controllers among themselves
 * @param bootstrapServers for clients
 */
public record KafkaPeer(
    String clusterId, int nodeId, int controllerPort, String bootstrapServers) {}
