package io.kairos.testkit.sim;

import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.DelayEvents;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.Ports;
import io.kairos.engine.delay.Route;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.OffsetMove;
import io.kairos.engine.delay.port.StoreUnavailable;
import io.kairos.engine.loop.Activity;
import io.kairos.engine.loop.Loop;
import io.kairos.testkit.delay.ModelInputSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * One run of a node's program, from start to crash or stop: the production node, its loops as
 * fibers, and everything of it that is on its way somewhere.
 */
final class NodeProcess {
  private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(3);

  private final World world;
  private final String name;
  private final SimClock clock;
  private final SimProcess process;
  private final DelayNode node;
  private final List<Loop> loops = new ArrayList<>();
  private final List<Fiber> fibers = new ArrayList<>();
  private final List<ModelInputSource> sources = new ArrayList<>();
  private final List<StoreCall<?>> calls = new ArrayList<>();
  private final List<Flight> flights = new ArrayList<>();

  /** Direct publishes whose batch has not been stored yet. */
  private final List<Send> openDirect = new ArrayList<>();

  private final List<Trap> traps = new ArrayList<>();
  private final Set<NodeId> lives = new HashSet<>();
  boolean storeAway;
  private boolean stopping;

  NodeProcess(World world, String name, SimClock clock) {
    this.world = world;
    this.name = name;
    this.clock = clock;
    this.process = new SimProcess(name);
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
    Ports ports =
        new Ports(
            store,
            store,
            store,
            new SimPublisher(this),
            clock,
            SimClock.monotonic(world.kernel()),
            () -> new SimWakeup(world.kernel()),
            this::newLife,
            this::jitter,
            new Listener());
    this.node = new DelayNode(world.scenario().config(), routes, world.wiring().around(ports));
    for (Activity activity : node.activities()) {
      Loop loop = new Loop(activity, SimClock.monotonic(world.kernel()), this::fatal);
      loops.add(loop);
      spawn(loop.name(), loop);
    }
  }

  Fiber spawn(String what, Runnable body) {
    Fiber fiber = world.kernel().spawn(name + "/" + what, process, body);
    fibers.add(fiber);
    return fiber;
  }

  private NodeId newLife() {
    NodeId life = new NodeId(new UUID(world.nextNodeBits(), world.nextNodeBits()));
    lives.add(life);
    return life;
  }

  /** Whether any life of this process was ever given the message by the store. */
  boolean hasEverHeld(Instance message) {
    return message.holders.stream().anyMatch(lives::contains);
  }

  private Duration jitter() {
    long bound = world.scenario().config().claiming().pollJitter().toNanos();
    return Duration.ofNanos(bound == 0 ? 0 : world.weather().random().nextLong(bound));
  }

  private void fatal(Throwable thrown) {
    if (!process.isDead()) {
      world
          .kernel()
          .fail(new AssertionError(Rules.NO_HALF_LIFE + ": a loop of " + name + " died", thrown));
    }
  }

  World world() {
    return world;
  }

  DelayNode node() {
    return node;
  }

  SimProcess process() {
    return process;
  }

  boolean isAlive() {
    return !process.isDead();
  }

  boolean isStopping() {
    return stopping;
  }

  PublishRules.Sender asSender() {
    return new PublishRules.Sender(name, node.id(), clock, this::hasEverHeld);
  }

  void reached(RareState state) {
    world.ledger().reached(state);
  }

  // Faults

  /** Dies here and now: nothing of it runs again. What is on its way may still arrive. */
  void crash() {
    if (process.isDead()) {
      return;
    }
    world.ledger().note(20, () -> name + " crashes");
    process.die();
    for (StoreCall<?> call : calls) {
      if (!call.done && world.weather().random().nextBoolean()) {
        call.loseOnTheWay();
      }
    }
    for (Flight flight : flights) {
      flight.senderDied();
    }
    for (Send send : openDirect) {
      send.message.excuses++;
    }
    world.kernel().after(SESSION_TIMEOUT.toNanos(), () -> sources.forEach(ModelInputSource::close));
    for (Fiber fiber : fibers) {
      world.kernel().kill(fiber);
    }
  }

  /** Everything of it stands still for a while, as in a long collection or a paused machine. */
  void freeze(long nanos) {
    world.ledger().note(21, () -> name + " is frozen for " + nanos / 1_000_000 + " ms");
    process.freezeUntil(world.kernel().nowNanos() + nanos);
    for (StoreCall<?> call : calls) {
      if (!call.done && world.weather().random().nextInt(3) == 0) {
        delayUntilThawed(call);
      }
    }
    world
        .kernel()
        .after(
            SESSION_TIMEOUT.toNanos(),
            () -> {
              if (process.isFrozenAt(world.kernel().nowNanos())) {
                sources.forEach(ModelInputSource::expire);
              }
            });
  }

  /** Stands still between deciding on a call and making it, until others have taken over. */
  private void freezeAt(Operation operation) {
    long nanos =
        Math.min(
            world.scenario().lapseNanos()
                + Duration.ofSeconds(4).toNanos()
                + world.weather().random().nextLong(4_000_000_000L),
            Scenario.HEAL_AT.toNanos() - 1 - world.kernel().nowNanos());
    if (nanos <= 0) {
      return;
    }
    freeze(nanos);
    if (operation instanceof Operation.Delete(var fired)) {
      // The most interesting moment to use an id again is while its late delete is on its way.
      world.workload().submitAgain(fired, nanos - 500_000_000);
    }
    world.kernel().sleep(0);
  }

  /** It had not been sent yet. */
  private void delayUntilThawed(StoreCall<?> call) {
    Event event = call.arrival;
    if (event != null && !event.cancelled) {
      event.cancel();
      long there = process.frozenUntilNanos() - world.kernel().nowNanos();
      call.arrival = world.kernel().after(there, () -> arrive(call));
    }
  }

  /** Ends as on a signal, then exits. */
  void stopGracefully(Runnable afterwards) {
    stopping = true;
    spawn(
        "stop",
        () -> {
          try {
            node.stop(Duration.ofSeconds(8));
          } catch (StoreUnavailable e) {
            // its liveness lapses by itself
          }
          reached(RareState.STOPPED_GRACEFULLY);
          world.kernel().after(0, afterwards);
        });
  }

  void set(Trap trap) {
    traps.add(trap);
  }

  void removeTraps() {
    traps.clear();
  }

  private boolean springs(Trap.Kind kind, Operation operation) {
    for (Trap trap : traps) {
      if (trap.springs(kind, operation)) {
        traps.remove(trap);
        world.faults().struck();
        return true;
      }
    }
    return false;
  }

  /** The store is gone: whoever waits for it learns so. */
  void storeGone() {
    for (StoreCall<?> call : calls) {
      call.failed = true;
      if (!call.done && world.weather().random().nextBoolean()) {
        call.loseOnTheWay();
      }
      world.kernel().wake(call.caller);
    }
  }

  // Calls

  <T> T call(Operation operation, Supplier<T> effect) {
    Kernel kernel = world.kernel();
    Fiber fiber = kernel.running();
    if (fiber == null) {
      throw new IllegalStateException("a completion calls the store: " + operation);
    }
    dieIfDead();
    Weather weather = world.weather();
    boolean away = storeAway || weather.storeAway;
    Weather.Fate fate = away ? Weather.Fate.NOT_DONE : weather.fate();
    if (!away && springs(Trap.Kind.FAIL, operation)) {
      fate = weather.failed();
    }
    if (springs(Trap.Kind.FREEZE, operation)) {
      freezeAt(operation);
    }
    StoreCall<T> call = new StoreCall<>(operation, effect, fiber, fate);
    calls.add(call);
    long there = away ? weather.deafNanos() : weather.storeNanos();
    long back = weather.storeNanos();
    if (fate != Weather.Fate.NOT_DONE) {
      long late = fate == Weather.Fate.DONE_AFTER_FAILING ? back + weather.lateNanos() : 0;
      call.arrival = kernel.after(there + late, () -> arrive(call));
    }
    try {
      kernel.sleep(there + back);
      while (!call.failed && !call.done) {
        kernel.sleep(there + back); // its process was frozen before the statement was sent
      }
    } finally {
      call.answered = true;
      calls.remove(call);
    }
    if (call.failed) {
      if (call.done) {
        reached(RareState.UNKNOWN_COMMIT_THAT_DID_COMMIT);
      }
      world
          .ledger()
          .note(
              22, () -> name + " is told that " + operation.getClass().getSimpleName() + " failed");
      throw new StoreUnavailable("simulated");
    }
    return call.result();
  }

  private void arrive(StoreCall<?> call) {
    if (world.weather().storeAway) {
      call.failed = true;
      return;
    }
    if (!process.isDead() && springs(Trap.Kind.CRASH_BEFORE, call.operation)) {
      crash();
      return;
    }
    try {
      call.carryOut(world.storeRules());
    } catch (StoreUnavailable e) {
      call.failed = true; // the store says no
    }
    if (process.isDead()) {
      reached(RareState.STATEMENT_OF_A_DEAD_NODE);
    } else if (call.answered) {
      reached(RareState.STATEMENT_AFTER_ITS_FAILURE);
    }
    if (!process.isDead() && springs(Trap.Kind.CRASH_AFTER, call.operation)) {
      crash();
    }
  }

  void dieIfDead() {
    if (process.isDead()) {
      throw new FiberKilled();
    }
  }

  // What the checkers want to know

  void stamps(Fence fence) {
    world.storeRules().stamped(fence, clock.micros());
  }

  void renewed(NodeId life) {
    world.storeRules().renewed(life);
  }

  void retired(NodeId life) {
    world.storeRules().retired(life);
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
        () -> name + " holds " + node.status().held() + " messages, allowed are " + most);
  }

  void publishedDirectly(Send send) {
    openDirect.add(send);
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

  /** What the node tells of itself is not believed, only counted. */
  private final class Listener implements DelayEvents {
    @Override
    public void lapsed(NodeId life, String why) {
      reached(RareState.LIVE_NODE_LAPSED);
    }

    @Override
    public void clockOffset(Duration offset, boolean withinBound) {
      if (!withinBound) {
        reached(RareState.CLOCK_OUT_OF_BOUNDS);
      }
    }
  }

  Optional<NodeId> life() {
    return node.id();
  }

  @Override
  public String toString() {
    return name;
  }
}
