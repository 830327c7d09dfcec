package io.kairos.engine.pool;

/**
 * An endpoint of a pool as a node sees it.
 *
 * @param endpoint its URL and address
 * @param ejected true while no tasks are pushed to it because it has failed
 * @param excluded the reason why tasks are never pushed to it; empty for none
 */
public record EndpointView(String endpoint, boolean ejected, String excluded) {}
