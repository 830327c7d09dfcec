package io.kairos.push;

import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.cluster.DetailFigures;
import io.kairos.engine.cluster.DetailFigures.Endpoint;
import io.kairos.engine.cluster.DetailFigures.EndpointWork;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.loop.WakeupFactory;
import io.kairos.engine.pool.CompletionTokens;
import io.kairos.engine.pool.EndpointView;
import io.kairos.engine.pool.PoolEdge;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.pool.port.StoredPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The part of a node that pushes: follows the pools in the store and has a {@link PoolWorker} for
 * each. Its owner runs the {@linkplain #activities activities}, each on a thread of its own, and
 * calls {@link #stop} while they still run, before the engine of tasks stops.
 */
public final class PushNode implements PoolEdge {
  private static final Duration LOOKS_EVERY = Duration.ofSeconds(1);
  private static final Duration STOP_LOOKS_EVERY = Duration.ofMillis(10);
  private static final int SECRET_BYTES = 32;

  private final String node;
  private final PushPorts ports;
  private final CompletionTokens tokens;
  private final Wakeup work;
  private final Wakeup follow;
  private final Wakeup files;
  private final Wakeup stopping;
  private final AtomicLong bytes = new AtomicLong();

  /** Written by {@link FollowStep}, read by {@link WorkStep} and by callers. */
  private final Map<PoolName, PoolWorker> workers = new ConcurrentHashMap<>();

  /** Workers of deleted pools that still have requests in flight. */
  private final Set<PoolWorker> leaving = ConcurrentHashMap.newKeySet();

  /** Pools that this version could not read when it last looked. Used by one step only. */
  private Set<PoolName> unreadable = Set.of();

  private volatile boolean stopped;

  /**
   * Reads the secret of completion tokens from the store.
   *
   * @param node name of the node, which is part of its workers' names
   */
  public PushNode(String node, PushPorts ports, WakeupFactory wakeups) {
    this.node = node;
    this.ports = ports;
    this.tokens = new CompletionTokens(ports.pools().completionSecret(newSecret()));
    this.work = wakeups.create();
    this.follow = wakeups.create();
    this.files = wakeups.create();
    this.stopping = wakeups.create();
  }

  /** The steps, each with its wakeup. */
  public List<StepActivity> activities() {
    List<StepActivity> activities = new ArrayList<>();
    activities.add(StepActivity.serving("follow-pools", this::followPools, follow));
    activities.add(StepActivity.serving("push", new WorkStep()::runOnce, work));
    PoolFilesStep look = new PoolFilesStep(ports, follow::signal);
    if (look.isNeeded()) {
      activities.add(StepActivity.serving("read-pool-files", look::runOnce, files));
    }
    return activities;
  }

  @Override
  public PoolStore pools() {
    return ports.pools();
  }

  @Override
  public AllowList allowed() {
    return ports.caller().allowed();
  }

  @Override
  public CompletionTokens tokens() {
    return tokens;
  }

  @Override
  public Set<PoolName> known() {
    return Set.copyOf(workers.keySet());
  }

  @Override
  public byte[] newSecret() {
    byte[] secret = new byte[SECRET_BYTES];
    ports.chance().nextBytes(secret);
    return secret;
  }

  @Override
  public void poolsChanged() {
    follow.signal();
  }

  /** Requests in flight, and attempts whose end the store does not know yet. */
  public int inFlight() {
    return Stream.concat(workers.values().stream(), leaving.stream())
        .mapToInt(PoolWorker::inFlight)
        .sum();
  }

  @Override
  public List<EndpointView> endpoints(PoolName name) {
    PoolWorker worker = workers.get(name);
    return worker == null ? List.of() : worker.rotation().views();
  }

  /**
   * What this node does with endpoints now, and how long their answers took since the last call; of
   * endpoints of which there is something to say. Called by one thread.
   */
  public DetailFigures takeDetails() {
    Map<Endpoint, EndpointWork> endpoints = new HashMap<>();
    long nowNanos = ports.monotonic().nanos();
    workers.forEach((pool, worker) -> {
      for (PushTarget target : worker.rotation().all()) {
        EndpointWork work = target.takeWork(nowNanos);
        if (work.isKnown()) {
          endpoints.put(new Endpoint(pool, target.id()), work);
        }
      }
    });
    return new DetailFigures(Map.of(), endpoints);
  }

  /**
   * Stops asking for work and waits for the requests in flight. Remaining requests are then given
   * up, and their leases lapse.
   *
   * @return true when none remained
   */
  public boolean stop(Duration atMost) {
    stopped = true;
    workers.values().forEach(PoolWorker::close);
    long untilNanos = ports.monotonic().nanos() + atMost.toNanos();
    while (inFlight() > 0 && ports.monotonic().nanos() - untilNanos < 0) {
      stopping.await(STOP_LOOKS_EVERY);
    }
    boolean quiet = inFlight() == 0;
    workers.values().forEach(PoolWorker::release);
    leaving.forEach(PoolWorker::release);
    ports.caller().close();
    return quiet;
  }

  /** Reads the pools, once a second and when this node has changed one. */
  private NextRound followPools() {
    if (stopped) {
      return NextRound.after(LOOKS_EVERY);
    }
    Set<PoolName> gone = new HashSet<>(workers.keySet());
    for (StoredPool stored : readPools()) {
      PoolName name = stored.pool().name();
      gone.remove(name);
      workers
          .computeIfAbsent(
              name,
              fresh ->
                  new PoolWorker(
                      "push " + fresh + " at " + node,
                      stored.pool(),
                      ports,
                      tokens,
                      bytes,
                      work::signal))
          .update(stored);
    }
    for (PoolName name : gone) {
      PoolWorker worker = workers.get(name);
      if (worker != null) {
        leaving.add(worker);
        workers.remove(name);
        worker.close();
      }
    }
    work.signal();
    return NextRound.after(LOOKS_EVERY);
  }

  /** Says once of a pool that it cannot be read, until it can be read again. */
  private List<StoredPool> readPools() {
    Set<PoolName> before = unreadable;
    Set<PoolName> now = new HashSet<>();
    List<StoredPool> pools =
        ports
            .pools()
            .all(
                ports.leaseClock().micros(Pool.DEFAULT_LEASE),
                (name, why) -> {
                  now.add(name);
                  if (!before.contains(name)) {
                    ports.events().unreadable(name, why);
                  }
                });
    unreadable = now;
    return pools;
  }

  /** Asks for work whenever there may be room for it, and sends heartbeats at their interval. */
  private final class WorkStep {
    private long tendedNanos = ports.monotonic().nanos();

    NextRound runOnce() {
      workers.values().forEach(PoolWorker::ask);
      long everyNanos = ports.tasks().heartbeatInterval().toNanos();
      long now = ports.monotonic().nanos();
      if (now - tendedNanos >= everyNanos) {
        tendedNanos = now;
        workers.values().forEach(PoolWorker::tend);
        leaving.removeIf(worker -> {
          worker.ask(); // ends its wait for work, since it is closed
          worker.tend();
          boolean done = worker.inFlight() == 0;
          if (done) {
            worker.release();
          }
          return done;
        });
      }
      long left = everyNanos - (ports.monotonic().nanos() - tendedNanos);
      return NextRound.after(Duration.ofNanos(Math.max(0, left)));
    }
  }
}
