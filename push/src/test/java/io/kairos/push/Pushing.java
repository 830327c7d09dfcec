package io.kairos.push;

import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.pool.PortList;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.pool.port.StoredPool;
import io.kairos.model.pool.ModelPoolStore;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;

/** A pushing part on tasks that tests hand out, driven by threads of its own. */
final class Pushing implements AutoCloseable {
  static final PoolName POOL = new PoolName("jobs");
  static final byte[] KEY = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
  };

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LONGEST_TTL = Duration.ofHours(1);
  private static final Duration LOOK_EVERY = Duration.ofMillis(2);

  final HandedTasks tasks = new HandedTasks();

  /** Pools of which the store says that this version cannot read them. */
  final Set<PoolName> unreadable = ConcurrentHashMap.newKeySet();

  final AtomicInteger looks = new AtomicInteger();
  final ModelPoolStore pools =
      new ModelPoolStore(InstantSource.system()) {
        @Override
        public synchronized List<StoredPool> all(
            OptionalLong believed, BiConsumer<PoolName, RuntimeException> report) {
          looks.incrementAndGet();
          unreadable.forEach(pool -> report.accept(pool, new IllegalArgumentException("later")));
          return super.all(believed, report).stream()
              .filter(one -> !unreadable.contains(one.pool().name()))
              .toList();
        }
      };
  volatile PushSpans spans = PushSpans.NONE;
  final List<String> events = new CopyOnWriteArrayList<>();
  final PushNode node;
  private final List<Thread> threads = new ArrayList<>();

  /** May push to loopback. */
  Pushing() {
    this(AllowList.of(List.of("127.0.0.0/8"), PortList.DEFAULT), List.of());
  }

  Pushing(AllowList allowed, List<InetSocketAddress> dns) {
    this(allowed, dns, PoolCredentials.none());
  }

  Pushing(AllowList allowed, List<InetSocketAddress> dns, PoolCredentials credentials) {
    RandomGenerator chance = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
    node =
        new PushNode(
            "test",
            new PushPorts(
                tasks,
                pools,
                Optional.empty(),
                _ -> OptionalLong.empty(),
                new PushConnections(
                    new PushConfig(
                        List.of(), List.of(), 1 << 20, Duration.ofSeconds(2), LONGEST_TTL),
                    allowed,
                    credentials),
                InstantSource.system(),
                System::nanoTime,
                chance,
                dns,
                new Heard(),
                (work, pool, endpoint, caller, sinceMicros) ->
                    spans.sending(work, pool, endpoint, caller, sinceMicros)),
            Signal::new);
    for (StepActivity activity : node.activities()) {
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                  activity.wakeup().await(activity.step().runOnce().after());
                }
              }));
    }
  }

  static Pool pool(WorkerServer... workers) {
    return Pool.of(
        POOL,
        new Pool.Endpoints.Listed(
            Stream.of(workers).map(worker -> EndpointUrl.of(worker.url())).toList()));
  }

  /** Stores a pool and has it worked for. */
  void create(Pool pool) {
    pools.create(pool, KEY);
    node.poolsChanged();
  }

  /** Has a first attempt at a request made, and returns its outcome. */
  AttemptOutcome push(PushRequest what) throws InterruptedException {
    tasks.give(POOL, what, 1, null);
    return tasks.outcome();
  }

  /** Waits until something holds; fails when it does not. */
  void until(BooleanSupplier holds) {
    long endNanos = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - endNanos > 0) {
        throw new AssertionError("does not become so; " + events + ", " + node.endpoints(POOL));
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  private static final class Signal implements Wakeup {
    private final Semaphore signals = new Semaphore(0);

    @Override
    public void signal() {
      if (signals.availablePermits() == 0) {
        signals.release();
      }
    }

    @Override
    public void await(Duration atMost) {
      try {
        if (signals.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
          signals.drainPermits();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final class Heard implements PushEvents {
    @Override
    public void happened(Counted event) {
      events.add(event.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }

    @Override
    public void answered(int status, long tookNanos) {
      events.add("answered " + status);
    }

    @Override
    public void ejected(PoolName pool, String endpoint) {
      events.add("ejected " + endpoint);
    }

    @Override
    public void unreadable(PoolName pool, RuntimeException why) {
      events.add("unreadable " + pool);
    }
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    node.stop(Duration.ZERO);
  }
}
