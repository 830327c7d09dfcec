package io.kairos.client.schedule;

/**
 * The result of triggering a schedule.
 *
 * @param duplicate true when a call with the same request id had triggered it before
 */
public record TriggeredFire(Fire fire, boolean duplicate) {}
