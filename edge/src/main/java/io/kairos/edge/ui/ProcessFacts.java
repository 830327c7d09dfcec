package io.kairos.edge.ui;

/**
 * What the dashboard shows of the process.
 *
 * @param kind node or replica
 */
public record ProcessFacts(String kind, String version) {}
