package io.kairos.domain.delay;

/**
 * The store's number of a route (an input→output pair of topics); stable for the life of the store.
 */
public record RouteId(int value) {}
