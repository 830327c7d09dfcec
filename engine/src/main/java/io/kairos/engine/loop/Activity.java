package io.kairos.engine.loop;

/**
 * A step and the wakeup that cuts its waits short. Whoever drives the step waits on the wakeup
 * between rounds.
 */
public record Activity(Step step, Wakeup wakeup) {}
