package io.kairos.domain.delay;

/**
 * Number that the store has given to a route (an input→output pair of topics); stable for the life
 * of the store.
 */
public record RouteId(int value) {}
