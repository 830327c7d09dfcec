package io.kairos.server.observe;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.time.Duration;

/**
 * What has to be looked at every few seconds: the recent percentiles, the logs that sum up, and
 * last the store, which may be away.
 */
final class ObserveStep implements Step {
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final DelayMetrics metrics;
  private final HiccupStep hiccups;
  private final Outages outages;
  private final DeadLetterCounts deadLetters;
  private final StoreView store;

  ObserveStep(
      DelayMetrics metrics,
      HiccupStep hiccups,
      Outages outages,
      DeadLetterCounts deadLetters,
      StoreView store) {
    this.metrics = metrics;
    this.hiccups = hiccups;
    this.outages = outages;
    this.deadLetters = deadLetters;
    this.store = store;
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
    store.ask();
    return Next.after(EVERY);
  }
}
