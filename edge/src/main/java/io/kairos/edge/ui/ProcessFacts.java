package io.kairos.edge.ui;

/**
 * Facts of the process that the dashboard shows.
 *
 * @param kind node or replica
 */
public record ProcessFacts(String kind, String version) {}
