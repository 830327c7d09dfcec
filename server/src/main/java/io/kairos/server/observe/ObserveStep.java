package io.kairos.server.observe;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.time.Duration;

/**
 * What has to be done every few seconds, and waits for nothing: the recent percentiles, the logs
 * that sum up. The store is asked by another step, because a step that fails is tried again at
 * once.
 */
final class ObserveStep implements Step {
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final DelayMetrics metrics;
  private final HiccupStep hiccups;
  private final Outages outages;
  private final DeadLetterCounts deadLetters;

  ObserveStep(
      DelayMetrics metrics, HiccupStep hiccups, Outages outages, DeadLetterCounts deadLetters) {
    this.metrics = metrics;
    this.hiccups = hiccups;
    this.outages = outages;
    this.deadLetters = deadLetters;
  }

  @Override
  public String name() {
    return "observe";
  }

  @Override
  public Next runOnce() {
    metrics.turn();
    hiccups.turn();
    outages.sweep();
    deadLetters.sweep();
    return Next.after(EVERY);
  }
}
