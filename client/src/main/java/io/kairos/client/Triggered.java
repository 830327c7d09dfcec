package io.kairos.client;

/**
 * What triggering a schedule did.
 *
 * @param duplicate the same request had triggered it before
 */
public record Triggered(Fire fire, boolean duplicate) {}
