package io.kairos.engine.delay;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.memory.LaneTrouble;
import io.kairos.engine.delay.memory.MessageHolding;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.KeptLetter;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.engine.delay.port.StoredMessage;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.DelayPorts;
import io.kairos.engine.delay.setup.Route;
import io.kairos.engine.delay.setup.ServedRoutes;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.NodeIncarnation;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.node.StoreUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A node of the delay queue. Production and the simulator assemble it from different ports. The
 * creator drives each of the {@linkplain #activities activities} on a thread of its own and ends
 * with {@link #stop}. ARCHITECTURE.md shows the flows.
 */
public final class DelayNode {
  private static final Duration STOP_LOOKS_EVERY = Duration.ofMillis(10);
  private static final Duration AMENDMENT_LOOKS_EVERY = Duration.ofMillis(20);

  private final DelayPorts ports;
  private final DelayContext node;
  private final AcknowledgedMessages settled = new AcknowledgedMessages();
  private final AdvanceGauge advance;
  private final SettleMessagesStep settleStep;
  private final Wakeup stopping;
  private final Wakeup claim;
  private final List<StepActivity> intake = new ArrayList<>();
  private final List<StepActivity> others = new ArrayList<>();
  private final AtomicInteger openSources = new AtomicInteger();
  private volatile boolean intakeStopped;

  /**
   * Creates a node that does not run yet. The node claims and holds messages only during a life of
   * {@code life}.
   */
  public DelayNode(DelayConfig config, List<Route> servedRoutes, NodeLife life, DelayPorts ports) {
    this.ports = ports;
    ServedRoutes routes = new ServedRoutes(servedRoutes);
    this.advance = new AdvanceGauge(config.firing().advance());
    this.node =
        new DelayContext(
            config,
            routes,
            life.membership(),
            new MessageHolding(config, routes.byId(), ports.publisher()::partitionFor),
            ports.clock(),
            ports.monotonic(),
            ports.events(),
            ports.spans());
    this.stopping = ports.wakeups().create();
    Wakeup fire = ports.wakeups().create();
    Wakeup amend = ports.wakeups().create();
    Wakeup settle = ports.wakeups().create();
    MessageClaims claims = new MessageClaims(node, ports.messages(), fire, amend);
    FireMessagesStep fireStep =
        new FireMessagesStep(node, ports.publisher(), settled, advance, fire);
    List<Wakeup> deletions = new ArrayList<>();
    this.settleStep =
        new SettleMessagesStep(
            node, settled, ports.messages(), () -> deletions.forEach(Wakeup::signal));
    List<Wakeup> wakeWhenEnrolled = new ArrayList<>(List.of(fire, amend));
    List<Wakeup> tells = new ArrayList<>();
    for (Route route : routes.all()) {
      Wakeup tell = wakened(wakeWhenEnrolled);
      tells.add(tell);
      others.add(
          StepActivity.serving(
              "tell-" + route.name(),
              new TellAmendmentsStep(node, route, ports.amendments(), ports.publisher(), outbox())
                  ::runOnce,
              tell));
      Wakeup deleted = ports.wakeups().create();
      deletions.add(deleted);
      IntakeStep step =
          new IntakeStep(
              node,
              route,
              ports.messages(),
              ports.publisher(),
              outbox(),
              claims,
              advance,
              tell,
              settle,
              deleted);
      intake.add(
          StepActivity.serving(
              "intake-" + route.name(),
              stoppable(step, route.source()),
              wakened(wakeWhenEnrolled)));
    }
    others.add(StepActivity.serving("fire", fireStep::runOnce, fire));
    others.add(StepActivity.serving("settle", settleStep::runOnce, settle));
    this.claim = wakened(wakeWhenEnrolled);
    others.add(
        StepActivity.looking(
            "claim",
            new ClaimMessagesStep(node, ports.messages(), claims, advance, ports.pollJitter())
                ::runOnce,
            claim));
    others.add(
        StepActivity.serving(
            "amend",
            new AmendMessagesStep(
                    node, ports.amendments(), claims, () -> tells.forEach(Wakeup::signal))
                ::runOnce,
            amend));
    look(
        "takeover",
        new TakeoverStep(node, ports.messages(), ports.amendments(), life.store(), claims)
            ::runOnce);
    look("backstop", new BackstopStep(node, ports.messages(), life.store())::runOnce);
    life.sustain(new DelayQueuePart(node, fireStep, settle, wakeWhenEnrolled));
  }

  private RecordOutbox outbox() {
    return new RecordOutbox(ports.publisher(), ports.wakeups().create(), ports.monotonic());
  }

  private void look(String name, Supplier<NextRound> round) {
    others.add(StepActivity.looking(name, round, ports.wakeups().create()));
  }

  private Wakeup wakened(List<Wakeup> wakeWhenEnrolled) {
    Wakeup wakeup = ports.wakeups().create();
    wakeWhenEnrolled.add(wakeup);
    return wakeup;
  }

  /** Closes the source on the thread of its intake step, which alone may use it. */
  private Supplier<NextRound> stoppable(IntakeStep step, InputSource source) {
    openSources.incrementAndGet();
    AtomicBoolean closed = new AtomicBoolean();
    return () -> {
      if (!intakeStopped) {
        return step.runOnce();
      }
      if (!closed.get()) {
        source.close();
        closed.set(true);
        openSources.decrementAndGet();
      }
      return NextRound.after(STOP_LOOKS_EVERY);
    };
  }

  /** Every step with its wakeup; the caller drives each on a thread of its own. */
  public List<StepActivity> activities() {
    List<StepActivity> all = new ArrayList<>(intake);
    all.addAll(others);
    return all;
  }

  /**
   * Stops gracefully while the activities are still driven: intake and sending end, sends in flight
   * are waited for, and acknowledged messages are deleted. Afterwards the caller ends the node's
   * life, which gives the rest back, and stops driving the activities.
   *
   * @param atMost bound on the wait for the broker and the store
   * @return true when nothing was left in flight, so that the stop makes no message be published
   *     twice
   */
  public boolean stop(Duration atMost) {
    intakeStopped = true;
    node.holding().stopLaunching();
    long untilNanos = ports.monotonic().nanos() + atMost.toNanos();
    while (!isQuiet() && ports.monotonic().nanos() - untilNanos < 0) {
      stopping.await(STOP_LOOKS_EVERY);
    }
    return isQuiet();
  }

  private boolean isQuiet() {
    return openSources.get() == 0 && node.holding().counts().inFlight() == 0 && settleStep.isDone();
  }

  /** Present numbers for metrics and readiness. */
  public Status status() {
    MessageHolding.Counts counts = node.holding().counts();
    long nowNanos = ports.monotonic().nanos();
    return new Status(
        node.holding().isPublishable(nowNanos),
        counts.messages(),
        counts.bytes(),
        counts.queued(),
        counts.inFlight(),
        settled.size(),
        counts.oldestDueMicros(),
        Duration.ofNanos(advance.micros(nowNanos) * 1_000));
  }

  /** Output partitions that are dead or slow. */
  public List<LaneTrouble> troubles() {
    return node.holding()
        .troubles(EpochMicros.of(ports.clock().instant()), ports.monotonic().nanos());
  }

  /**
   * Numbers for metrics and readiness.
   *
   * @param publishable true when every route's output answers or may be probed
   * @param held messages in memory
   * @param heldBytes bytes of the messages in memory
   * @param queued messages in memory that are due and wait for their output partition
   * @param inFlight messages and dead letters that were sent and are not answered
   * @param unsettled acknowledged messages that are not yet deleted
   * @param oldestDueMicros approximate due time of the earliest held message that was not sent, in
   *     microseconds; {@link Long#MAX_VALUE} for none
   * @param advance the timing advance in force
   */
  public record Status(
      boolean publishable,
      int held,
      long heldBytes,
      int queued,
      int inFlight,
      int unsettled,
      long oldestDueMicros,
      Duration advance) {}

  /**
   * Accepts messages of one route for edges other than the input topic: all or none, and durably. A
   * message with the id of a stored message is ignored.
   *
   * @return the ids that were new
   * @throws StoreUnavailable when the store did not answer; the messages may or may not have been
   *     accepted
   */
  public Set<MessageId> submit(RouteId route, List<DelayedMessage> messages) {
    NodeIncarnation acting =
        node.membership()
            .acting()
            .orElseThrow(() -> new StoreUnavailable("this node is not enrolled at present"));
    long nowMicros = EpochMicros.of(ports.clock().instant());
    IntakeBatch batch =
        new IntakeBatch(
            route,
            new Fence(acting.id(), acting.nextStamp(nowMicros)),
            List.of(),
            List.of(),
            messages,
            List.of(),
            Set.of());
    IntakeResult result;
    try {
      result = ports.messages().accept(batch);
    } catch (StoreUnavailable e) {
      node.events().notAccepted(route, String.valueOf(e.getMessage()));
      throw e;
    }
    if (!(result instanceof IntakeResult.Stored(var inserted, _))) {
      throw new StoreUnavailable("this node's life has just ended");
    }
    node.events().accepted(route, inserted.size(), 0);
    long soon = nowMicros + EpochMicros.lengthOf(node.config().claiming().horizon());
    if (messages.stream().anyMatch(message -> message.dueMicros() <= soon)) {
      claim.signal();
    }
    return inserted;
  }

  /** A message that is stored. */
  Optional<StoredMessage> find(RouteId route, MessageId id) {
    return ports.messages().find(route, id);
  }

  /** A record whose dead letter was truncated and that was kept whole. */
  Optional<KeptLetter> kept(UUID id) {
    return ports.messages().kept(id);
  }

  /**
   * Amends a message by id, for edges other than the input topic. Blocks until the outcome is
   * known, but no longer than {@code atMost}.
   *
   * @return empty when the holder has not decided in time; the amendment stays and may still be
   *     applied
   * @throws StoreUnavailable when the store did not answer; the amendment may or may not have been
   *     accepted
   */
  public Optional<AmendmentOutcome> amend(
      RouteId route, MessageId id, Amendment amendment, Duration atMost) {
    long number =
        ports.amendments().request(new AmendRequest(route, id, amendment, new ReplyTo.Caller()));
    Wakeup waiting = ports.wakeups().create();
    long untilNanos = ports.monotonic().nanos() + atMost.toNanos();
    while (true) {
      Optional<AmendmentOutcome> outcome = ports.amendments().outcome(number);
      if (outcome.isPresent()) {
        ports.amendments().told(List.of(number));
        return outcome;
      }
      if (ports.monotonic().nanos() - untilNanos >= 0) {
        return Optional.empty();
      }
      waiting.await(AMENDMENT_LOOKS_EVERY);
    }
  }
}
