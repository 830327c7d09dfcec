package io.kairos.server.observe;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.RecordRejection;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.engine.delay.setup.DelayEvents;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Metrics of the delay queue. All meters are registered at construction, so that a counter shows
 * zero before its first event and no event looks a meter up by name. Thread-safe; one fired message
 * costs well under a microsecond.
 */
public final class DelayMetrics implements DelayEvents {
  /** A message published earlier than its due time by more than this counts as early. */
  public static final long EARLY_MICROS = 5_000;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final int NANOS_PER_MICRO = 1_000;
  private static final String ROUTE = "route";

  private final Map<RouteId, OfRoute> routes = new HashMap<>();
  private final DelayEvents log;
  private final MeterFactory.Kinds<AmendmentOutcome> amended;
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

  /**
   * @param log gets the events that are worth a log line, after they have been counted
   */
  public DelayMetrics(MeterRegistry registry, Map<RouteId, String> routeNames, DelayEvents log) {
    this.log = log;
    MeterFactory meters = new MeterFactory(registry);
    routeNames.forEach((id, name) -> routes.put(id, new OfRoute(meters, name)));
    amended =
        meters.counters(
            List.of(AmendmentOutcome.values()),
            "kairos.delay.amendments",
            "Cancels and reschedules that were decided",
            "outcome",
            outcome -> MeterFactory.word(outcome).replace('_', '-'));
    publish =
        meters.seconds(
            "kairos.delay.publish", "From sending a message to the broker's acknowledgement");
    claimed =
        meters.counter("kairos.delay.claimed", "Messages claimed by polls, beyond those at intake");
    deferred =
        meters.counter(
            "kairos.delay.deferred",
            "Messages given back because their output is dead, slow or refuses them");
    takenOverFromRetired = takenOver(meters, "retired-node");
    takenOverFromLapsed = takenOver(meters, "lapsed-node");
    suspected = meters.counter("kairos.delay.suspected", "Messages reset after the hold time");
    gone = meters.counter("kairos.delay.gone", "Fired messages that were gone when to be deleted");
    publishFailures = meters.counter("kairos.delay.publish.failures", "Sends that failed");
    meters.recent(
        "kairos.delay.lateness.recent",
        "Absolute lateness over the last 15 s, by percentile",
        recentLateness);
    meters.recent(
        "kairos.delay.publish.recent",
        "Publish latency over the last 15 s, by percentile",
        recentPublish);
  }

  private static Counter takenOver(MeterFactory meters, String from) {
    return meters.counter("kairos.delay.taken.over", "Messages taken over", "from", from);
  }

  /** The meters of one route. */
  private static final class OfRoute {
    private final MeterFactory meters;
    private final String name;
    private final DistributionSummary lateness;
    private final Counter early;
    private final Counter stored;
    private final Counter duplicates;
    private final Counter fired;
    private final Counter firedDirectly;
    private final Counter repositioned;
    private final Counter resultsRefused;
    private final MeterFactory.Kinds<RecordRejection.Reason> deadLetters;

    OfRoute(MeterFactory meters, String name) {
      this.meters = meters;
      this.name = name;
      lateness =
          meters.seconds(
              "kairos.delay.lateness",
              "Acknowledgement minus due time of stored messages, absolute value",
              ROUTE,
              name);
      early =
          counter(
              "kairos.delay.early", "Messages acknowledged more than 5 ms before their due time");
      stored = counter("kairos.delay.accepted", "Messages stored");
      duplicates =
          counter("kairos.delay.duplicates", "Messages ignored because their id was pending");
      fired = fired("stored");
      firedDirectly = fired("direct");
      repositioned =
          counter(
              "kairos.delay.repositioned", "Input partitions read again from the stored position");
      resultsRefused =
          counter(
              "kairos.delay.results.refused",
              "Outcomes of control records that the results topic does not take");
      deadLetters =
          meters.counters(
              List.of(RecordRejection.Reason.values()),
              "kairos.delay.dead.letters",
              "Records parked on the dead-letter topic",
              "reason",
              RecordRejection.Reason::label,
              ROUTE,
              name);
    }

    private Counter counter(String meter, String about) {
      return meters.counter(meter, about, ROUTE, name);
    }

    private Counter fired(String path) {
      return meters.counter(
          "kairos.delay.fired", "Messages acknowledged by the broker", ROUTE, name, "path", path);
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
    meters.lateness.record(absolute / MeterFactory.MICROS_PER_SECOND);
    recentLateness.record(absolute);
    publish.record(publishNanos / NANOS_PER_SECOND);
    recentPublish.record(publishNanos / NANOS_PER_MICRO);
  }

  @Override
  public void firedDirectly(DelayedMessage message, long latenessMicros) {
    of(message.route()).firedDirectly.increment();
  }

  @Override
  public void deadLettered(RouteId route, RecordRejection.Reason reason) {
    of(route).deadLetters.increment(reason);
    log.deadLettered(route, reason);
  }

  @Override
  public void amended(AmendmentOutcome outcome) {
    amended.increment(outcome);
    log.amended(outcome);
  }

  @Override
  public void publishFailed(MessageOutput output, int partition, String why) {
    publishFailures.increment();
    log.publishFailed(output, partition, why);
  }

  @Override
  public void resultRefused(RouteId route, TopicName topic, String why) {
    of(route).resultsRefused.increment();
    log.resultRefused(route, topic, why);
  }

  @Override
  public void deferred(int count) {
    deferred.increment(count);
    log.deferred(count);
  }

  @Override
  public void takenOver(NodeId from, boolean retired, List<ClaimedMessage> messages) {
    (retired ? takenOverFromRetired : takenOverFromLapsed).increment(messages.size());
    log.takenOver(from, retired, messages);
  }

  @Override
  public void suspected(NodeId holder, List<LongHeldMessage> reset) {
    suspected.increment(reset.size());
    log.suspected(holder, reset);
  }

  @Override
  public void gone(List<ClaimedMessage> messages) {
    gone.increment(messages.size());
    log.gone(messages);
  }

  @Override
  public void repositioned(RouteId route, int partition) {
    of(route).repositioned.increment();
    log.repositioned(route, partition);
  }

  /** Updates the recent percentiles. Called every few seconds by one thread. */
  void turn() {
    recentLateness.turn();
    recentPublish.turn();
  }
}
