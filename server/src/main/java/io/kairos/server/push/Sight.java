package io.kairos.server.push;

/**
 * An endpoint of a pool as a node sees it.
 *
 * @param endpoint its URL and address
 * @param ejected whether it is left out for a while, because it has failed
 * @param excluded why nothing is pushed to it whatever it answers; empty for others
 */
public record Sight(String endpoint, boolean ejected, String excluded) {}
