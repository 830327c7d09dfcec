package io.kairos.server.observe;

import static io.kairos.server.observe.Meters.counter;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Rejection;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.Output;
import io.kairos.domain.task.TopicName;
import io.kairos.engine.delay.DelayEvents;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.Suspect;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Counts and measures what a node does. Everything that can happen is registered at construction,
 * so that a counter stands at zero before its first event and no event looks a meter up by name.
 * Called by every thread of the node; one fired message costs well under a microsecond.
 */
public final class DelayMetrics implements DelayEvents {
  /** More than this before the due time counts as early. */
  public static final long EARLY_MICROS = 5_000;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final int NANOS_PER_MICRO = 1_000;
  private static final String ROUTE = "route";

  private final Map<RouteId, OfRoute> routes = new HashMap<>();
  private final Map<AmendmentOutcome, Counter> amended = new EnumMap<>(AmendmentOutcome.class);
  private final RecentHistogram recentLateness = new RecentHistogram();
  private final RecentHistogram recentPublish = new RecentHistogram();
  private final DistributionSummary publish;
  private final Counter claimed;
  private final Counter deferred;
  private final Counter takenOverFromRetired;
  private final Counter takenOverFromLapsed;
  private final Counter suspected;
  private final Counter gone;
  private final Counter publishFailures;

  public DelayMetrics(MeterRegistry registry, Map<RouteId, String> routeNames) {
    routeNames.forEach((id, name) -> routes.put(id, new OfRoute(registry, name)));
    for (AmendmentOutcome outcome : AmendmentOutcome.values()) {
      String label = outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
      amended.put(
          outcome,
          counter(
              registry,
              "kairos.delay.amendments",
              "Cancels and reschedules that were decided",
              "outcome",
              label));
    }
    publish =
        Meters.seconds(
            registry,
            "kairos.delay.publish",
            "From sending a message to the broker's acknowledgement");
    claimed =
        counter(
            registry, "kairos.delay.claimed", "Messages claimed by polls, beyond those at intake");
    deferred =
        counter(
            registry,
            "kairos.delay.deferred",
            "Messages given back because their output is dead, slow or refuses them");
    takenOverFromRetired =
        counter(registry, "kairos.delay.taken.over", "Messages taken over", "from", "retired-node");
    takenOverFromLapsed =
        counter(registry, "kairos.delay.taken.over", "Messages taken over", "from", "lapsed-node");
    suspected = counter(registry, "kairos.delay.suspected", "Messages reset after the hold time");
    gone =
        counter(registry, "kairos.delay.gone", "Fired messages that were gone when to be deleted");
    publishFailures = counter(registry, "kairos.delay.publish.failures", "Sends that failed");
    Meters.recent(
        registry,
        "kairos.delay.lateness.recent",
        "Absolute lateness over the last 15 s, by percentile",
        recentLateness);
    Meters.recent(
        registry,
        "kairos.delay.publish.recent",
        "Publish latency over the last 15 s, by percentile",
        recentPublish);
  }

  /** The meters of one route. */
  private static final class OfRoute {
    private final DistributionSummary lateness;
    private final Counter early;
    private final Counter stored;
    private final Counter duplicates;
    private final Counter fired;
    private final Counter firedDirectly;
    private final Counter repositioned;
    private final Counter resultsRefused;
    private final Map<Rejection.Reason, Counter> deadLetters =
        new EnumMap<>(Rejection.Reason.class);

    OfRoute(MeterRegistry registry, String name) {
      lateness =
          Meters.seconds(
              registry,
              "kairos.delay.lateness",
              "Acknowledgement minus due time of stored messages, absolute value",
              ROUTE,
              name);
      early =
          counter(
              registry,
              "kairos.delay.early",
              "Messages acknowledged more than 5 ms before their due time",
              ROUTE,
              name);
      stored = counter(registry, "kairos.delay.accepted", "Messages stored", ROUTE, name);
      duplicates =
          counter(
              registry,
              "kairos.delay.duplicates",
              "Messages ignored because their id was pending",
              ROUTE,
              name);
      fired = fired(registry, name, "stored");
      firedDirectly = fired(registry, name, "direct");
      repositioned =
          counter(
              registry,
              "kairos.delay.repositioned",
              "Input partitions read again from the stored position",
              ROUTE,
              name);
      resultsRefused =
          counter(
              registry,
              "kairos.delay.results.refused",
              "Outcomes of control records that the results topic does not take",
              ROUTE,
              name);
      for (Rejection.Reason reason : Rejection.Reason.values()) {
        deadLetters.put(
            reason,
            counter(
                registry,
                "kairos.delay.dead.letters",
                "Records parked on the dead-letter topic",
                ROUTE,
                name,
                "reason",
                reason.label()));
      }
    }

    private static Counter fired(MeterRegistry registry, String name, String path) {
      return counter(
          registry,
          "kairos.delay.fired",
          "Messages acknowledged by the broker",
          ROUTE,
          name,
          "path",
          path);
    }
  }

  private OfRoute of(RouteId route) {
    OfRoute meters = routes.get(route);
    if (meters == null) {
      throw new IllegalStateException("no meters for route " + route.value());
    }
    return meters;
  }

  @Override
  public void accepted(RouteId route, int stored, int duplicates) {
    OfRoute meters = of(route);
    meters.stored.increment(stored);
    meters.duplicates.increment(duplicates);
  }

  @Override
  public void claimed(int count) {
    claimed.increment(count);
  }

  @Override
  public void fired(DelayedMessage message, long latenessMicros, long publishNanos) {
    OfRoute meters = of(message.route());
    meters.fired.increment();
    if (latenessMicros < -EARLY_MICROS) {
      meters.early.increment();
    }
    long absolute = Math.abs(latenessMicros);
    meters.lateness.record(absolute / Meters.MICROS_PER_SECOND);
    recentLateness.record(absolute);
    publish.record(publishNanos / NANOS_PER_SECOND);
    recentPublish.record(publishNanos / NANOS_PER_MICRO);
  }

  @Override
  public void firedDirectly(DelayedMessage message, long latenessMicros) {
    of(message.route()).firedDirectly.increment();
  }

  @Override
  public void deadLettered(RouteId route, Rejection.Reason reason) {
    Counter counter = of(route).deadLetters.get(reason);
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void amended(AmendmentOutcome outcome) {
    Counter counter = amended.get(outcome);
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void publishFailed(Output output, int partition, String why) {
    publishFailures.increment();
  }

  @Override
  public void resultRefused(RouteId route, TopicName topic, String why) {
    of(route).resultsRefused.increment();
  }

  @Override
  public void deferred(int count) {
    deferred.increment(count);
  }

  @Override
  public void takenOver(NodeId from, boolean retired, List<Claimed> messages) {
    (retired ? takenOverFromRetired : takenOverFromLapsed).increment(messages.size());
  }

  @Override
  public void suspected(NodeId holder, List<Suspect> reset) {
    suspected.increment(reset.size());
  }

  @Override
  public void gone(List<Claimed> messages) {
    gone.increment(messages.size());
  }

  @Override
  public void repositioned(RouteId route, int partition) {
    of(route).repositioned.increment();
  }

  /** Makes new readings of the recent percentiles; every few seconds, by one thread. */
  void turn() {
    recentLateness.turn();
    recentPublish.turn();
  }
}
