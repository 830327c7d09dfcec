package io.kairos.simulator;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.RouteId;
import io.kairos.engine.delay.DelayEvents;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.Ports;
import io.kairos.engine.delay.Route;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.OffsetMove;
import io.kairos.engine.node.NodeLife;
import io.kairos.testkit.delay.ModelInputSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One run of a node of the delay queue, and everything of it that is on its way somewhere. */
final class DelayProcess extends NodeProcess {
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(8);
  private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(3);

  private final DelayWorld world;
  private final NodeLife life;
  private final DelayNode node;
  private final List<ModelInputSource> sources = new ArrayList<>();
  private final List<Flight> flights = new ArrayList<>();

  /** Direct publishes whose batch has not been stored yet. */
  private final List<Send> openDirect = new ArrayList<>();

  DelayProcess(DelayWorld world, String name, SimClock clock) {
    super(world, name, clock);
    this.world = world;
    SimStore store = new SimStore(this, world.backend());
    List<Route> routes = new ArrayList<>();
    for (Topology.Pair pair : world.topology().pairs()) {
      ModelInputSource source =
          world
              .broker()
              .join(
                  "kairos",
                  pair.input(),
                  world.scenario().maxPollRecords(),
                  () -> new SimWakeup(world.kernel()));
      sources.add(source);
      routes.add(pair.route(new SimInput(this, pair.input(), source)));
    }
    this.life = life(world.scenario().config().liveness(), world.backend().liveness());
    Ports ports =
        new Ports(
            store,
            store,
            new SimPublisher(this),
            clock,
            SimClock.monotonic(world.kernel()),
            () -> new SimWakeup(world.kernel()),
            this::jitter,
            DelayEvents.NONE);
    this.node =
        new DelayNode(world.scenario().config(), routes, life, world.wiring().around(ports));
    node.activities().forEach(this::drive);
    life.activities().forEach(this::drive);
  }

  private Duration jitter() {
    long bound = world.scenario().config().claiming().pollJitter().toNanos();
    return Duration.ofNanos(bound == 0 ? 0 : world.weather().random().nextLong(bound));
  }

  @Override
  DelayWorld world() {
    return world;
  }

  DelayNode node() {
    return node;
  }

  /** As whoever runs now. */
  PublishRules.Sender asSender() {
    Fiber running = world.kernel().running();
    boolean isIntake = running != null && running.toString().startsWith(this + "/intake-");
    return new PublishRules.Sender(toString(), life.id(), clock(), isIntake);
  }

  @Override
  void stop() {
    node.stop(STOPS_WITHIN);
    life.end();
  }

  @Override
  void dies() {
    for (Flight flight : flights) {
      flight.senderDied();
    }
    for (Send send : openDirect) {
      send.message.excuses++;
    }
    world.kernel().after(SESSION_TIMEOUT.toNanos(), () -> sources.forEach(ModelInputSource::close));
  }

  @Override
  void standsStill() {
    world
        .kernel()
        .after(
            SESSION_TIMEOUT.toNanos(),
            () -> {
              if (process().isFrozenAt(world.kernel().nowNanos())) {
                sources.forEach(ModelInputSource::expire);
              }
            });
  }

  @Override
  void struck(Trap.Kind kind, Operation operation) {
    boolean before = kind == Trap.Kind.CRASH_BEFORE;
    if (!before && kind != Trap.Kind.CRASH_AFTER) {
      return;
    }
    if (operation instanceof Operation.Accept) {
      reached(before ? RareState.DIED_BEFORE_STORING : RareState.DIED_AFTER_STORING);
    } else if (operation instanceof Operation.Claim) {
      reached(before ? RareState.DIED_BEFORE_CLAIMING : RareState.DIED_AFTER_CLAIMING);
    } else if (operation.equals(Trap.SEND)) {
      reached(before ? RareState.DIED_BEFORE_PUBLISHING : RareState.DIED_AFTER_PUBLISHING);
    } else if (operation instanceof Operation.Delete) {
      reached(before ? RareState.DIED_BEFORE_DELETING : RareState.DIED_AFTER_DELETING);
    }
  }

  @Override
  void standsStillAt(Operation operation, long nanos) {
    if (operation instanceof Operation.Delete(var fired)) {
      // The most interesting moment to use an id again is while its late delete is on its way.
      world.workload().submitAgain(fired, nanos - 500_000_000);
    }
  }

  // What the checkers want to know

  void stamps(Fence fence) {
    world.storeRules().stamped(fence, clock().micros());
  }

  void deletes(List<Claimed> fired) {
    for (Claimed one : fired) {
      Instance stored = world.ledger().stored(one.message().route(), one.message().id());
      if (stored == null || !one.fence().equals(stored.holder)) {
        reached(RareState.LATE_DELETE);
        if (stored != null && stored.submitted.tag() != Tag.ofEncoded(one.message().headers())) {
          reached(RareState.LATE_DELETE_OF_A_REUSED_ID);
        }
      }
    }
  }

  void checkBounds(ClaimRequest request, List<Claimed> claimed) {
    Ledger ledger = world.ledger();
    long bytes = 0;
    for (Claimed one : claimed) {
      bytes += one.message().payloadBytes();
    }
    long total = bytes;
    ledger.check(
        claimed.size() <= request.maxMessages()
            && (total <= request.maxBytes() || claimed.size() == 1),
        Rules.BOUNDED,
        () -> "a claim for " + request.maxMessages() + " messages brought " + claimed.size());
    int most = world.scenario().config().claiming().maxMessages();
    ledger.check(
        node.status().held() <= most + world.scenario().config().claiming().batch(),
        Rules.BOUNDED,
        () -> this + " holds " + node.status().held() + " messages, allowed are " + most);
  }

  void publishedDirectly(Send send) {
    openDirect.add(send);
  }

  /** A batch goes to the store: what in it was published and has no answer may come again. */
  void takesIn(IntakeBatch batch) {
    for (Send send : openDirect) {
      send.unansweredWhenStored |= !send.acknowledged && covers(batch, send.message);
    }
  }

  /** A batch was answered: if it is not known to be stored, its records may come again. */
  void takenIn(IntakeBatch batch, boolean stored) {
    openDirect.removeIf(send -> {
      boolean covered = covers(batch, send.message);
      if (covered && !stored) {
        send.message.excuses++;
      }
      return covered;
    });
  }

  private static boolean covers(IntakeBatch batch, Instance message) {
    RouteId route = message.submitted.route();
    for (OffsetMove move : batch.moves()) {
      if (batch.route().equals(route)
          && move.partition() == message.submitted.partition()
          && message.submitted.offset() < move.next()) {
        return true;
      }
    }
    return false;
  }

  boolean springsAtSend(Trap.Kind kind) {
    return springs(kind, Trap.SEND);
  }

  boolean springsAtPoll(Trap.Kind kind) {
    return springs(kind, Trap.POLL);
  }

  void launched(Flight flight) {
    flights.add(flight);
  }

  void landed(Flight flight) {
    flights.remove(flight);
  }
}
