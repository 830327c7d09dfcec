package io.kairos.server.observe;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.RecordRejection;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.cluster.RouteFigures.Amendments;
import io.kairos.engine.cluster.WorkCounts;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.engine.delay.port.MessageCounts;
import io.kairos.engine.delay.setup.DelayEvents;
import io.kairos.engine.loop.Step;
import io.kairos.engine.time.MonotonicClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Metrics and logs of a delay node: a listener for it, gauges over it, and steps to run. All meters
 * are registered at construction, so that a counter shows zero before its first event and no event
 * looks a meter up by name. Thread-safe; one fired message costs well under a microsecond.
 *
 * <p>Logs nothing per message above DEBUG: many messages become one event with their count and the
 * first ids; an outage is logged when it begins and when it is over. Never logs payloads.
 */
public final class DelayMetrics implements DelayEvents {
  private static final Logger LOG = LoggerFactory.getLogger(DelayMetrics.class);

  /** A message published earlier than its due time by more than this counts as early. */
  public static final long EARLY_MICROS = 5_000;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final int NANOS_PER_MICRO = 1_000;
  private static final int IDS_SHOWN = 10;
  private static final String ROUTE = "route";
  private static final String NODE = "node";
  private static final String COUNT = "count";
  private static final String FIRST = "first";
  private static final String ID = "id";

  private final MeterRegistry registry;
  private final InstantSource clock;
  private final Map<RouteId, OfRoute> routes = new HashMap<>();
  private final SendOutages outages;
  private final DeadLetterCounts deadLetters = new DeadLetterCounts();
  private final RefusedWrites writes;
  private final StoreView store;
  private final MeterFactory.Kinds<AmendmentOutcome> amended;
  private final RecentHistogram recentLateness = new RecentHistogram();
  private final RecentHistogram recentPublish = new RecentHistogram();
  private final DistributionSummary publish;
  private final WorkCounts period = new WorkCounts();

  /** By route, since the last period. */
  private final Map<String, Long> lettersInPeriod = new ConcurrentHashMap<>();

  private final Counter claimed;
  private final Counter deferred;
  private final Counter takenOverFromRetired;
  private final Counter takenOverFromLapsed;
  private final Counter suspected;
  private final Counter gone;
  private final Counter publishFailures;
  private volatile @Nullable Supplier<DelayNode.Status> status;

  /**
   * @param writes is told when the store takes no messages in
   * @param counts the store's present counts; may block
   */
  public DelayMetrics(
      MeterRegistry registry,
      RefusedWrites writes,
      Map<RouteId, String> routeNames,
      Supplier<MessageCounts> counts,
      InstantSource clock,
      MonotonicClock monotonic) {
    this.registry = registry;
    this.clock = clock;
    this.outages = new SendOutages(monotonic);
    this.writes = writes;
    this.store = new StoreView(counts, clock);
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

    /** What the store takes in for the route. */
    private final String messages;

    /** Partitions that are read again since the store last took something in. */
    private final Set<Integer> readAgain = ConcurrentHashMap.newKeySet();

    /** Since the start. */
    private final LongAdder takenOver = new LongAdder();

    private final Map<AmendmentOutcome, Long> amended = new ConcurrentHashMap<>();
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
      this.messages = "messages of route " + name;
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

  /** The name of a route; its number if this node does not serve it. */
  private String name(RouteId route) {
    OfRoute meters = routes.get(route);
    return meters == null ? Integer.toString(route.value()) : meters.name;
  }

  @Override
  public void accepted(RouteId route, int stored, int duplicates) {
    OfRoute meters = of(route);
    meters.stored.increment(stored);
    period.accepted(stored);
    meters.duplicates.increment(duplicates);
    writes.accepted(meters.messages);
    if (!meters.readAgain.isEmpty()) {
      meters.readAgain.clear();
    }
  }

  @Override
  public void notAccepted(RouteId route, String why) {
    writes.refused(of(route).messages, why);
  }

  @Override
  public void claimed(int count) {
    claimed.increment(count);
  }

  @Override
  public void fired(DelayedMessage message, long latenessMicros, long publishNanos) {
    OfRoute meters = of(message.route());
    meters.fired.increment();
    period.begun();
    period.ended();
    period.late(latenessMicros);
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
    period.accepted(1);
    period.begun();
    period.ended();
  }

  @Override
  public void deadLettered(RouteId route, RecordRejection.Reason reason) {
    of(route).deadLetters.increment(reason);
    deadLetters.add(of(route).name, reason);
    lettersInPeriod.merge(of(route).name, 1L, Long::sum);
  }

  @Override
  public void amended(RouteId route, AmendmentOutcome outcome) {
    amended.increment(outcome);
    of(route).amended.merge(outcome, 1L, Long::sum);
    LOG.atDebug().addKeyValue("outcome", outcome).log("amendment decided");
  }

  @Override
  public void publishFailed(MessageOutput output, int partition, String why) {
    publishFailures.increment();
    period.begun();
    outages.failed(output, partition, why);
  }

  @Override
  public void resultRefused(RouteId route, TopicName topic, String why) {
    of(route).resultsRefused.increment();
    LOG.atWarn()
        .addKeyValue(ROUTE, of(route).name)
        .addKeyValue("topic", topic)
        .addKeyValue("why", why)
        .log("the broker will never take the outcome of a control record: it is not told");
  }

  @Override
  public void deferred(int count) {
    deferred.increment(count);
    LOG.atDebug()
        .addKeyValue(COUNT, count)
        .log("messages whose output is dead, slow or refuses them were given back for later");
  }

  /** A warning, with ids, unless the former holder has announced its stop. */
  @Override
  public void takenOver(NodeId from, boolean retired, List<ClaimedMessage> messages) {
    (retired ? takenOverFromRetired : takenOverFromLapsed).increment(messages.size());
    (retired ? LOG.atInfo() : LOG.atWarn())
        .addKeyValue(NODE, from)
        .addKeyValue(COUNT, messages.size())
        .addKeyValue(FIRST, first(messages, claimed -> claimed.message().id().value()))
        .log(
            retired
                ? "took over messages that a stopped node gave back"
                : "a node is suspected to be dead: took over its messages");
    messages.forEach(claimed -> of(claimed.message().route()).takenOver.increment());
    each(messages, "taken over");
  }

  /** One warning per suspected node and pass. */
  @Override
  public void suspected(NodeId holder, List<LongHeldMessage> reset) {
    suspected.increment(reset.size());
    LOG.atWarn()
        .addKeyValue(NODE, holder)
        .addKeyValue(COUNT, reset.size())
        .addKeyValue(FIRST, first(reset, suspect -> suspect.id().value()))
        .log("a node is suspected to have failed: its messages were held beyond the hold time");
    if (LOG.isDebugEnabled()) {
      reset.forEach(suspect ->
          LOG.atDebug()
              .addKeyValue(NODE, holder)
              .addKeyValue(ROUTE, name(suspect.route()))
              .addKeyValue(ID, suspect.id())
              .log("reset to waiting"));
    }
  }

  /** A warning only. */
  @Override
  public void gone(List<ClaimedMessage> messages) {
    gone.increment(messages.size());
    LOG.atWarn()
        .addKeyValue(COUNT, messages.size())
        .addKeyValue(FIRST, first(messages, claimed -> claimed.message().id().value()))
        .log("fired messages were gone when they were to be deleted: another node has fired them");
    each(messages, "gone before deletion");
  }

  /** Logged once for each partition in an outage of the store, which repeats it each round. */
  @Override
  public void repositioned(RouteId route, int partition) {
    of(route).repositioned.increment();
    LOG.atLevel(of(route).readAgain.add(partition) ? Level.INFO : Level.DEBUG)
        .addKeyValue(ROUTE, of(route).name)
        .addKeyValue("partition", partition)
        .log("reading an input partition again from the stored position");
  }

  private void each(List<ClaimedMessage> messages, String what) {
    if (LOG.isDebugEnabled()) {
      messages.forEach(claimed ->
          LOG.atDebug()
              .addKeyValue(ROUTE, name(claimed.message().route()))
              .addKeyValue(ID, claimed.message().id())
              .log(what));
    }
  }

  private static <T> String first(List<T> all, Function<T, String> id) {
    String shown = all.stream().limit(IDS_SHOWN).map(id).collect(Collectors.joining(", "));
    return all.size() > IDS_SHOWN ? shown + ", ..." : shown;
  }

  /**
   * Registers gauges over the node's present state.
   *
   * @param open true while the delay queue reaches the broker
   */
  public void watch(Supplier<DelayNode.Status> present, BooleanSupplier open) {
    status = present;
    DelayGauges.register(registry, present, open, store, clock);
  }

  /** Messages of a route that were taken over since the start. */
  public long takenOver(RouteId route) {
    return of(route).takenOver.sum();
  }

  /** Cancels and reschedules of a route that were decided since the start. */
  public Amendments amendments(RouteId route) {
    Map<AmendmentOutcome, Long> counts = of(route).amended;
    return new Amendments(
        counts.getOrDefault(AmendmentOutcome.APPLIED, 0L),
        counts.getOrDefault(AmendmentOutcome.TOO_LATE, 0L),
        counts.getOrDefault(AmendmentOutcome.UNKNOWN_ID, 0L));
  }

  /** The counts since the last call. Called by one thread. */
  public PeriodFigures takeFigures() {
    Map<String, Long> letters = new HashMap<>();
    for (String route : List.copyOf(lettersInPeriod.keySet())) {
      Long count = lettersInPeriod.remove(route);
      if (count != null) {
        letters.put(route, count);
      }
    }
    return PeriodFigures.ofMessages(period.take(oldestOverdue()), letters);
  }

  /** Null for none. */
  private @Nullable Duration oldestOverdue() {
    Supplier<DelayNode.Status> present = status;
    long micros = present == null ? 0 : DelayGauges.overdueMicros(store, present.get(), clock);
    return micros == 0 ? null : Duration.of(micros, ChronoUnit.MICROS);
  }

  /** Steps to run, each on a thread of its own. */
  public List<Step> steps() {
    return List.of(
        new RegularStep("observe", this::look),
        // A step of its own asks the store, so that only this step fails with an unavailable store.
        new RegularStep("observe-store", store::ask));
  }

  /** Updates the recent percentiles and writes the summarizing logs. Does not block. */
  void look() {
    recentLateness.turn();
    recentPublish.turn();
    outages.sweep();
    deadLetters.sweep();
  }
}
