package io.kairos.client.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.ManagedChannelBuilder;
import io.kairos.client.PayloadCodec;
import io.kairos.client.net.Channels;
import io.kairos.client.net.Reach;
import io.kairos.client.time.SystemTime;
import io.kairos.client.time.Time;
import io.kairos.client.time.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs tasks: register handlers by name, {@link #start}, and {@link #close} at the end.
 *
 * <pre>{@code
 * try (Worker worker = Worker.connect("node1:7070", "node2:7070")) {
 *   worker.handle("resize", PayloadCodec.utf8(), (name, context) -> resize(name));
 *   worker.start();
 *   worker.join();
 * }
 * }</pre>
 *
 * <p>It asks every node for as many tasks as its executor threads can begin, and for quick handlers
 * a few more. While it holds a task, a heartbeat on a thread and a connection of its own keeps the
 * lease. When three heartbeats in a row fail, or the lease is about to end, or a node says that it
 * is lost, the task's context is cancelled and its thread interrupted, and nothing of it is
 * reported; a handler that goes on for longer than the grace time makes the <em>whole JVM
 * halt</em>, because another worker is about to begin the same task (DA-22). {@link
 * HandlerOptions#allowOverlap} switches that off for a handler.
 *
 * <p>Thread-safe. All threads are daemons.
 */
public final class Worker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  private final Builder settings;
  private final String name;
  private final CompletableFuture<Boolean> drained = new CompletableFuture<>();

  /** Guards what follows. */
  private final Object lifeCycle = new Object();

  @GuardedBy("lifeCycle")
  private final Map<String, Registration<?>> registrations = new LinkedHashMap<>();

  @GuardedBy("lifeCycle")
  private boolean closing;

  /** Null before the start. */
  @GuardedBy("lifeCycle")
  private @Nullable Running running;

  private Worker(Builder settings) {
    this.settings = settings;
    this.name = settings.name;
  }

  /**
   * With the shipped settings.
   *
   * @param addresses {@code host:port} of nodes; best of all, as each gives out its own work
   */
  public static Worker connect(String... addresses) {
    return builder(addresses).build();
  }

  /**
   * With settings of one's own.
   *
   * @param addresses {@code host:port} of nodes; best of all, as each gives out its own work
   */
  public static Builder builder(String... addresses) {
    return new Builder(Reach.of(Arrays.asList(addresses)));
  }

  public String name() {
    return name;
  }

  /** Before {@link #start}. */
  public <T> Worker handle(String handler, PayloadCodec<T> codec, Handler<? super T> code) {
    return handle(handler, codec, code, HandlerOptions.DEFAULT);
  }

  /** Before {@link #start}. */
  public <T> Worker handle(
      String handler, PayloadCodec<T> codec, Handler<? super T> code, HandlerOptions options) {
    Registration<T> made = new Registration<>(handler, codec, code, options);
    synchronized (lifeCycle) {
      if (running != null || closing) {
        throw new IllegalStateException("register handlers before the worker starts");
      }
      if (registrations.putIfAbsent(handler, made) != null) {
        throw new IllegalArgumentException("there is a handler " + handler + " already");
      }
    }
    return this;
  }

  /** Begins to ask for work. Does not wait for a node. */
  public void start() {
    Map<String, Registration<?>> handlers;
    Running started;
    synchronized (lifeCycle) {
      if (running != null || closing) {
        throw new IllegalStateException("a worker starts once");
      }
      if (registrations.isEmpty()) {
        throw new IllegalStateException("a worker needs a handler");
      }
      handlers = Map.copyOf(registrations);
      started = new Running(handlers);
      running = started;
    }
    started.start();
    LOG.atInfo()
        .addKeyValue("worker", name)
        .addKeyValue("handlers", handlers.keySet())
        .addKeyValue("executors", settings.concurrency)
        .log("worker started");
  }

  /** Waits until the worker is closed. */
  public void join() throws InterruptedException {
    try {
      drained.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Asks for no more work and performs what is here, for at most {@code within}. Then tasks that
   * have not begun go back, and handlers that run are cancelled and get the stop time to end. What
   * ends even later is still kept alive by heartbeats and reported, for as long as this JVM lives.
   *
   * @return true when all has ended and is reported, false when time was up
   */
  public CompletableFuture<Boolean> drain(Duration within) {
    Running it;
    synchronized (lifeCycle) {
      if (closing) {
        return drained;
      }
      closing = true;
      it = running;
    }
    if (it == null) {
      drained.complete(true);
    } else {
      it.drain(within);
    }
    return drained;
  }

  /** Drains for at most the drain time of the settings. */
  @Override
  public void close() {
    try {
      if (!drain(settings.drainTime).get()) {
        LOG.atWarn().addKeyValue("worker", name).log("worker closed, but a handler goes on");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** All that a worker has from its start on. */
  private final class Running {
    private final Timer timer = settings.time.timer("kairos-timer");
    private final Timer heartbeatTimer = settings.time.timer("kairos-heartbeat");
    private final ThreadPoolExecutor heartbeatAnswers =
        new ThreadPoolExecutor(
            1,
            1,
            5,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            daemons("kairos-heartbeat-answers"));
    private final @Nullable ExecutorService ownExecutors;
    private final Executor executors;
    private final Executor callbacks = action -> daemon("kairos-on-cancel", action).start();
    private final Channels channels;
    private final Channels heartbeatChannels;
    private final Map<String, Registration<?>> handlers;
    private final Board board;
    private final Controller controller;
    private final Heartbeats heartbeats;
    private final ExecutorLoop loop;
    private final AtomicBoolean stopped = new AtomicBoolean();

    Running(Map<String, Registration<?>> handlers) {
      this.handlers = handlers;
      Executor given = settings.executor;
      if (given == null) {
        ExecutorService own =
            Executors.newFixedThreadPool(settings.concurrency, daemons("kairos-executor"));
        ownExecutors = own;
        executors = own;
      } else {
        ownExecutors = null;
        executors = given;
      }
      // Never shut down, as closing channels still answer: its thread ends when it is idle.
      heartbeatAnswers.allowCoreThreadTimeOut(true);
      WorkerListener listener = new QuietListener(settings.listener);
      // Answers for the data path are short work, done where they are read.
      channels = new Channels(settings.reach, ManagedChannelBuilder::directExecutor);
      heartbeatChannels =
          new Channels(settings.reach, channel -> channel.executor(heartbeatAnswers));
      Heartbeats.Wire wire = wire(channels, timer);
      Heartbeats.Wire heartbeatWire = wire(heartbeatChannels, heartbeatTimer);
      Demand demand =
          new Demand(settings.concurrency, settings.localBuffer, channels.nodes().count());
      board = new Board(demand, this::isAnyReady, channels.nodes(), settings.time);
      Termination termination = new Termination(heartbeatTimer, callbacks, settings.halt, listener);
      heartbeats =
          new Heartbeats(name, board, heartbeatWire, termination, this::carryOut, listener);
      controller =
          new Controller(
              new Controller.Identity(name, this::ready, settings.terminationGrace),
              board,
              wire,
              heartbeats::keep,
              this::over,
              listener);
      loop =
          new ExecutorLoop(
              name,
              handlers,
              board,
              wire,
              new ExecutorLoop.Threads(executors, callbacks),
              this::carryOut,
              listener);
    }

    private boolean isAnyReady() {
      return handlers.values().stream().anyMatch(Registration::isReady);
    }

    private List<String> ready() {
      return handlers.values().stream()
          .filter(Registration::isReady)
          .map(Registration::name)
          .toList();
    }

    private Heartbeats.Wire wire(Channels to, Timer on) {
      return new Heartbeats.Wire(new Calls(to, on), to.nodes(), settings.time, on);
    }

    void start() {
      for (int i = 0; i < settings.concurrency; i++) {
        executors.execute(loop);
      }
      heartbeats.start();
      controller.carryOut(board.plan());
    }

    private void carryOut(Board.Plan plan) {
      controller.carryOut(plan);
    }

    void drain(Duration within) {
      controller.carryOut(board.drain());
      controller.leave();
      timer.after(within, this::hurry);
    }

    private void hurry() {
      for (Run run : board.hurry()) {
        run.cancel(CancelReason.SHUTDOWN, callbacks);
      }
      controller.carryOut(board.plan());
      timer.after(settings.stopTime(), () -> drained.complete(false));
    }

    private void over() {
      if (stopped.compareAndSet(false, true)) {
        timer.close();
        heartbeatTimer.close();
        channels.close();
        heartbeatChannels.close();
        if (ownExecutors != null) {
          ownExecutors.shutdown();
        }
        drained.complete(true);
        LOG.atInfo().addKeyValue("worker", name).log("worker stopped");
      }
    }
  }

  private static ThreadFactory daemons(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return action -> daemon(prefix + "-" + number.incrementAndGet(), action);
  }

  private static Thread daemon(String name, Runnable action) {
    Thread made = new Thread(action, name);
    made.setDaemon(true);
    return made;
  }

  /** Not thread-safe. */
  public static final class Builder {
    private Reach reach;
    private String name;
    private int concurrency = Runtime.getRuntime().availableProcessors() * 2;
    private int localBuffer = 1_000;
    private Duration terminationGrace = Duration.ofMillis(500);
    private Duration drainTime = Duration.ofSeconds(30);
    private @Nullable Duration stopTime;
    private @Nullable Executor executor;
    private WorkerListener listener = WorkerListener.NONE;
    private Halt halt = Halt.JVM;
    private Time time = new SystemTime();

    private Builder(Reach reach) {
      this.reach = reach;
      RandomGenerator chance = SystemTime.chance();
      name =
          "worker-" + ProcessHandle.current().pid() + "-" + Integer.toHexString(chance.nextInt());
    }

    /** API token of the role worker; none is needed where the node has no {@code http.callers}. */
    public Builder token(String token) {
      reach = reach.withToken(token);
      return this;
    }

    /** Makes the channel to an address; plain text by default. The place for TLS. */
    public Builder transport(Function<String, ManagedChannelBuilder<?>> transport) {
      reach = reach.withTransport(transport);
      return this;
    }

    /**
     * Shown where a task says who holds it; unique among workers. From the process id by default.
     */
    public Builder name(String unique) {
      name = unique;
      return this;
    }

    /** How many handlers run at once; twice the number of cores by default. */
    public Builder concurrency(int executors) {
      concurrency = executors;
      return this;
    }

    /**
     * Bound on tasks that wait here for an executor; 1,000 by default. Only what handlers do in
     * about 50 ms is asked for, so slow ones have no buffer.
     */
    public Builder localBuffer(int tasks) {
      localBuffer = tasks;
      return this;
    }

    /**
     * Threads for handlers instead of the worker's own. Must really run {@link #concurrency} loops
     * at once, for the life of the worker, and let them be interrupted.
     */
    public Builder executor(Executor executors) {
      executor = executors;
      return this;
    }

    /**
     * How long a handler may go on after its lease was lost before the JVM halts; 500 ms by
     * default, at most a quarter of the lease. The longer, the earlier it is told.
     */
    public Builder terminationGrace(Duration grace) {
      terminationGrace = grace;
      return this;
    }

    /** How long {@link Worker#close} lets handlers end by themselves; 30 s by default. */
    public Builder drainTime(Duration most) {
      drainTime = most;
      return this;
    }

    /**
     * How long {@link Worker#close} waits after the drain time for handlers that it has cancelled;
     * the grace time by default.
     */
    public Builder stopTime(Duration most) {
      stopTime = most;
      return this;
    }

    private Duration stopTime() {
      return stopTime == null ? terminationGrace : stopTime;
    }

    public Builder listener(WorkerListener newListener) {
      listener = newListener;
      return this;
    }

    /** For tests, and for those who know a milder last resort. */
    public Builder halt(Halt lastResort) {
      halt = lastResort;
      return this;
    }

    /** For tests. */
    public Builder time(Time newTime) {
      time = newTime;
      return this;
    }

    /** Throws {@link IllegalArgumentException} that names the setting and its rule. */
    public Worker build() {
      require(concurrency >= 1 && concurrency <= 10_000, "concurrency must be 1 to 10,000");
      require(localBuffer >= 0 && localBuffer <= 100_000, "localBuffer must be 0 to 100,000");
      require(!terminationGrace.isNegative(), "terminationGrace must not be negative");
      require(!drainTime.isNegative(), "drainTime must not be negative");
      require(!stopTime().isNegative(), "stopTime must not be negative");
      require(!name.isEmpty() && name.length() <= 128, "name must have 1 to 128 characters");
      return new Worker(this);
    }

    private static void require(boolean holds, String rule) {
      if (!holds) {
        throw new IllegalArgumentException(rule);
      }
    }
  }
}
