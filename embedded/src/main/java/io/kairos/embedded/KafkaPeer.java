package io.kairos.embedded;

/**
 * The controller of a cluster, with the data that another broker needs to join it. Made by {@link
 * EmbeddedKafka#asPeer()}; valid until that broker is closed, also while it is down or restarted.
 *
 * @param clusterId id of the cluster that the first broker founded
 * @param controllerPort on 127.0.0.1, for brokers and controllers
 * @param bootstrapServers for clients
 */
public record KafkaPeer(
    String clusterId, int nodeId, int controllerPort, String bootstrapServers) {}
