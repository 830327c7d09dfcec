package io.kairos.server.push;

import io.kairos.domain.pool.AllowList;
import io.kairos.domain.task.PoolName;
import io.kairos.engine.loop.Activity;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.loop.Wakeups;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.pool.port.StoredPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The pushing part of a node: follows the pools in the store, and has a {@link PoolWorker} for
 * each. Whoever makes it drives the {@linkplain #activities activities}, each on a thread of its
 * own, and ends with {@link #stop} while they are still driven, before the tasks stop.
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
  private final Wakeup stopping;
  private final AtomicLong bytes = new AtomicLong();

  /** Written by the step that follows, read by the one that works. */
  private final Map<PoolName, PoolWorker> workers = new ConcurrentHashMap<>();

  /** Pools that are gone, while something of them is under way. */
  private final Set<PoolWorker> leaving = ConcurrentHashMap.newKeySet();

  private volatile boolean stopped;

  /**
   * Asks the store for its secret.
   *
   * @param node in the names of its workers
   */
  public PushNode(String node, PushPorts ports, Wakeups wakeups) {
    this.node = node;
    this.ports = ports;
    this.tokens = new CompletionTokens(ports.pools().completionSecret(newSecret()));
    this.work = wakeups.create();
    this.follow = wakeups.create();
    this.stopping = wakeups.create();
  }

  /** Every step with its wakeup. */
  public List<Activity> activities() {
    return List.of(
        Activity.serving(new FollowStep(), follow), Activity.serving(new WorkStep(), work));
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

  /** Requests under way, and attempts whose end the store does not know yet. */
  public int inFlight() {
    return Stream.concat(workers.values().stream(), leaving.stream())
        .mapToInt(PoolWorker::inFlight)
        .sum();
  }

  @Override
  public List<Sight> endpoints(PoolName name) {
    PoolWorker worker = workers.get(name);
    return worker == null ? List.of() : worker.crew().sights();
  }

  /**
   * Takes nothing more and waits for what is under way; what is left then is given up, and its
   * leases lapse.
   *
   * @return whether nothing was left
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

  /** Reads the pools, once a second and when one was changed here. */
  private final class FollowStep implements Step {
    @Override
    public String name() {
      return "follow-pools";
    }

    @Override
    public Next runOnce() {
      if (stopped) {
        return Next.after(LOOKS_EVERY);
      }
      Set<PoolName> gone = new HashSet<>(workers.keySet());
      for (StoredPool stored : ports.pools().all()) {
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
            .is(stored);
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
      return Next.after(LOOKS_EVERY);
    }
  }

  /** Asks for work whenever there may be room for some, and keeps leases at their interval. */
  private final class WorkStep implements Step {
    private long tendedNanos = ports.monotonic().nanos();

    @Override
    public String name() {
      return "push";
    }

    @Override
    public Next runOnce() {
      workers.values().forEach(PoolWorker::ask);
      long everyNanos = ports.tasks().heartbeatInterval().toNanos();
      long now = ports.monotonic().nanos();
      if (now - tendedNanos >= everyNanos) {
        tendedNanos = now;
        workers.values().forEach(PoolWorker::tend);
        tendLeaving();
      }
      long left = everyNanos - (ports.monotonic().nanos() - tendedNanos);
      return Next.after(Duration.ofNanos(Math.max(0, left)));
    }

    private void tendLeaving() {
      List<PoolWorker> done = new ArrayList<>();
      for (PoolWorker worker : leaving) {
        worker.ask(); // ends its wait
        worker.tend();
        if (worker.inFlight() == 0) {
          done.add(worker);
        }
      }
      for (PoolWorker worker : done) {
        leaving.remove(worker);
        worker.release();
      }
    }
  }
}
