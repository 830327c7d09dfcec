package io.kairos.client.worker;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.client.ResultTaskType;
import io.kairos.client.TaskType;
import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.FencedWrites;
import io.kairos.client.handler.Handler;
import io.kairos.client.handler.HandlerInterceptor;
import io.kairos.client.handler.HandlerOptions;
import io.kairos.client.handler.ResultHandler;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.net.ConnectionBuilder;
import io.kairos.client.net.LocalNode;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.time.ClientTime;
import io.kairos.client.time.DaemonThread;
import io.kairos.client.time.SystemTime;
import java.time.Duration;
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
 * <p>The worker asks every node for as many tasks as its executor threads can begin, and for more
 * when handlers are quick. Heartbeats on a separate thread and separate connections extend the
 * leases of its tasks. A lease is lost when three heartbeats in a row fail, when it is about to
 * end, or when a node says so. The task's context is then cancelled, its thread is interrupted, and
 * its result is not reported. A handler that goes on for longer than the grace time is abandoned:
 * it keeps its executor until it returns, and another worker may perform the same task meanwhile.
 * {@link FencedWrites} keeps its late effects out of a database. {@link HandlerOptions#HALT_JVM}
 * halts the JVM instead, before another worker may begin the task; without it a worker never ends
 * the JVM.
 *
 * <p>While a handler runs, the MDC of slf4j on its thread has the keys {@code kairos.task.id},
 * {@code kairos.handler} and {@code kairos.attempt}.
 *
 * <p>Thread-safe. All threads are daemons.
 */
public final class Worker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
  private static final Duration LEAVE_AGAIN = Duration.ofMillis(500);

  private final Builder settings;
  private final String name;
  private final CompletableFuture<Boolean> drained = new CompletableFuture<>();

  /** Guards the state of the life cycle. */
  private final Object lifeCycle = new Object();

  @GuardedBy("lifeCycle")
  private final Map<String, HandlerRegistration<?>> registrations = new LinkedHashMap<>();

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
   * Returns a worker with default settings.
   *
   * @param addresses {@code host:port} of nodes; name all nodes, because each node hands out its
   *     own tasks
   */
  public static Worker connect(String... addresses) {
    return builder(addresses).build();
  }

  /**
   * Returns a builder for a worker with other settings.
   *
   * @param addresses {@code host:port} of nodes; name all nodes, because each node hands out its
   *     own tasks
   */
  public static Builder builder(String... addresses) {
    return new Builder(addresses);
  }

  /** Returns a builder for a worker of a node in this process; the module in-process makes it. */
  public static Builder builder(LocalNode node) {
    return new Builder(node);
  }

  public String name() {
    return name;
  }

  /** Registers a handler. Call it before {@link #start}. */
  public <T> Worker handle(String handler, PayloadCodec<T> codec, Handler<? super T> code) {
    return handle(handler, codec, code, HandlerOptions.DEFAULT);
  }

  /** Registers a handler with options. Call it before {@link #start}. */
  public <T> Worker handle(
      String handler, PayloadCodec<T> codec, Handler<? super T> code, HandlerOptions options) {
    return handle(handler, place(code), codec, code, options);
  }

  private <T> Worker handle(
      String handler,
      String place,
      PayloadCodec<T> codec,
      Handler<? super T> code,
      HandlerOptions options) {
    HandlerRegistration<T> made =
        new HandlerRegistration<>(handler, place, codec, code, options, settings.interceptor);
    synchronized (lifeCycle) {
      if (running != null || closing) {
        throw new IllegalStateException("register handlers before the worker starts");
      }
      HandlerRegistration<?> first = registrations.putIfAbsent(handler, made);
      if (first != null) {
        throw new IllegalArgumentException(
            "the handler %s is registered already, as %s: %s needs another name"
                .formatted(handler, first.place(), place));
      }
    }
    return this;
  }

  /** Names the class of a handler's code, or the class in which it is a lambda. */
  private static String place(Object code) {
    String name = code.getClass().getName();
    int lambda = name.indexOf("$$Lambda");
    return lambda < 0 ? name : "a lambda in " + name.substring(0, lambda);
  }

  /**
   * Registers a handler that returns a value, which is kept with the task and given to callers who
   * await it. Call it before {@link #start}.
   *
   * @param results the form of the value, with its content type
   */
  public <T, R> Worker handle(
      String handler,
      PayloadCodec<T> codec,
      PayloadCodec<R> results,
      ResultHandler<? super T, ? extends R> code) {
    return handle(handler, codec, results, code, HandlerOptions.DEFAULT);
  }

  /** Registers a handler that returns a value, with options. Call it before {@link #start}. */
  public <T, R> Worker handle(
      String handler,
      PayloadCodec<T> codec,
      PayloadCodec<R> results,
      ResultHandler<? super T, ? extends R> code,
      HandlerOptions options) {
    Handler<T> setsResult =
        new Handler<>() {
          @Override
          public void handle(T payload, TaskContext context) throws Exception {
            R value = code.handle(payload, context);
            if (value != null) {
              context.result(PayloadForm.encoded(results, value));
            }
          }

          @Override
          public boolean isReady(String name) {
            return code.isReady(name);
          }
        };
    return handle(handler, place(code), codec, setsResult, options);
  }

  /** Registers the handler of a type of tasks. Call it before {@link #start}. */
  public <T> Worker handle(TaskType<T> type, Handler<? super T> code) {
    return handle(type, code, HandlerOptions.DEFAULT);
  }

  /** Registers the handler of a type of tasks, with options. Call it before {@link #start}. */
  public <T> Worker handle(TaskType<T> type, Handler<? super T> code, HandlerOptions options) {
    return handle(type.handler(), type.codec(), code, options);
  }

  /** Registers the handler of a type of tasks with results. Call it before {@link #start}. */
  public <T, R> Worker handle(
      ResultTaskType<T, R> type, ResultHandler<? super T, ? extends R> code) {
    return handle(type, code, HandlerOptions.DEFAULT);
  }

  /**
   * Registers the handler of a type of tasks with results, with options. Call it before {@link
   * #start}.
   */
  public <T, R> Worker handle(
      ResultTaskType<T, R> type,
      ResultHandler<? super T, ? extends R> code,
      HandlerOptions options) {
    return handle(type.handler(), type.type().codec(), type.results(), code, options);
  }

  /** Starts the worker. Returns at once, without waiting for a node. */
  public void start() {
    Map<String, HandlerRegistration<?>> handlers;
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
   * Stops asking for tasks, and performs the tasks already leased, for at most {@code within}.
   * After that, tasks that have not begun go back to the nodes, and running handlers are cancelled
   * and get the stop time to end. Handlers that end even later keep their leases and are still
   * reported, for as long as this JVM runs.
   *
   * @return true when all tasks have ended and are reported, false when the time was up
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

  /** Drains the worker for at most the drain time of the settings. */
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

  /** Threads, connections and state of a started worker. */
  private final class Running {
    private final HeldTimer timer = timer("kairos-timer");
    private final HeldTimer heartbeatTimer = timer("kairos-heartbeat");
    private final Executor heartbeatAnswers = oneThread("kairos-heartbeat-answers");
    private final @Nullable ExecutorService ownExecutors;
    private final Executor executors;
    private final Executor callbacks =
        action -> DaemonThread.of("kairos-on-cancel", action).start();
    private final WorkerLink link;
    private final WorkerLink heartbeatLink;
    private final Map<String, HandlerRegistration<?>> handlers;
    private final WorkerBoard board;
    private final WorkerController controller;
    private final LeaseHeartbeats heartbeats;
    private final ExecutorLoop loop;
    private final AtomicBoolean stopped = new AtomicBoolean();

    Running(Map<String, HandlerRegistration<?>> handlers) {
      this.handlers = handlers;
      Executor given = settings.executor;
      ownExecutors =
          given == null
              ? Executors.newFixedThreadPool(settings.concurrency, daemons("kairos-executor"))
              : null;
      executors = given == null ? requireNonNull(ownExecutors) : given;
      WorkerListener listener = new QuietListener(settings.listener);
      LocalNode local = settings.local();
      if (local == null) {
        link = WorkerRemoteCalls.forWork(settings, timer);
        heartbeatLink = WorkerRemoteCalls.forHeartbeats(settings, heartbeatTimer, heartbeatAnswers);
      } else {
        link = WorkerLocalCalls.to(local, timer, local.answers());
        heartbeatLink = WorkerLocalCalls.to(local, heartbeatTimer, heartbeatAnswers);
      }
      LeaseHeartbeats.Wire wire = wire(link, timer);
      LeaseHeartbeats.Wire heartbeatWire = wire(heartbeatLink, heartbeatTimer);
      TaskDemand demand =
          new TaskDemand(settings.concurrency, settings.localBuffer, link.nodes().count());
      board =
          new WorkerBoard(
              demand, settings.strictPriority, this::isAnyReady, link.nodes(), settings.time);
      RunTermination termination =
          new RunTermination(
              board, heartbeatTimer, callbacks, settings.halt, this::carryOut, listener);
      heartbeats =
          new LeaseHeartbeats(name, board, heartbeatWire, termination, this::carryOut, listener);
      controller =
          new WorkerController(
              new WorkerController.Identity(
                  name,
                  this::ready,
                  settings.strictPriority,
                  settings.terminationGrace,
                  settings.concurrency),
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
              new AttemptResults.Reporting(settings.redaction, settings.encryption()),
              this::carryOut,
              listener);
    }

    private boolean isAnyReady() {
      return handlers.values().stream().anyMatch(HandlerRegistration::isReady);
    }

    private List<String> ready() {
      return handlers.values().stream()
          .filter(HandlerRegistration::isReady)
          .map(HandlerRegistration::name)
          .toList();
    }

    private HeldTimer timer(String threadName) {
      return new HeldTimer(settings.time.timer(threadName), settings.time);
    }

    private LeaseHeartbeats.Wire wire(WorkerLink to, HeldTimer on) {
      return new LeaseHeartbeats.Wire(to.calls(), to.nodes(), settings.time, on);
    }

    void start() {
      for (int i = 0; i < settings.concurrency; i++) {
        executors.execute(loop);
      }
      heartbeats.start();
      controller.carryOut(board.plan());
    }

    private void carryOut(WorkerBoard.Plan plan) {
      controller.carryOut(plan);
    }

    void drain(Duration within) {
      controller.carryOut(board.drain());
      leave();
      timer.after(within, this::hurry);
    }

    /** Again and again, as a call for work may reach its node after this. */
    private void leave() {
      controller.leave();
      timer.after(LEAVE_AGAIN, this::leave);
    }

    private void hurry() {
      for (HandlerRun run : board.hurry()) {
        run.cancel(CancelReason.SHUTDOWN, callbacks);
      }
      controller.carryOut(board.plan());
      timer.after(settings.stopTime(), () -> drained.complete(false));
    }

    private void over() {
      if (stopped.compareAndSet(false, true)) {
        timer.close();
        heartbeatTimer.close();
        link.close().run();
        heartbeatLink.close().run();
        if (ownExecutors != null) {
          ownExecutors.shutdown();
        }
        drained.complete(true);
        LOG.atInfo().addKeyValue("worker", name).log("worker stopped");
      }
    }
  }

  /**
   * A thread for answers, which ends when it is idle. Never shut down, because connections that
   * close still deliver answers.
   */
  private static Executor oneThread(String name) {
    ThreadPoolExecutor thread =
        new ThreadPoolExecutor(
            1, 1, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons(name));
    thread.allowCoreThreadTimeOut(true);
    return thread;
  }

  private static ThreadFactory daemons(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return action -> DaemonThread.of(prefix + "-" + number.incrementAndGet(), action);
  }

  /** Settings of a worker. Not thread-safe. */
  public static final class Builder extends ConnectionBuilder<Builder> {
    private String name;
    private int concurrency = Runtime.getRuntime().availableProcessors() * 2;
    private int localBuffer = 1_000;
    private boolean strictPriority;
    private Duration terminationGrace = Duration.ofMillis(500);
    private Duration drainTime = Duration.ofSeconds(30);
    private @Nullable Duration stopTime;
    private @Nullable Executor executor;
    private WorkerListener listener = WorkerListener.NONE;
    private HandlerInterceptor interceptor = HandlerInterceptor.NONE;
    private JvmHalt halt = JvmHalt.JVM;
    private ErrorRedaction redaction = ErrorRedaction.NONE;
    private ClientTime time = new SystemTime();

    private Builder(String... addresses) {
      super(addresses);
      name = ownName();
    }

    private Builder(LocalNode node) {
      super(node);
      name = ownName();
    }

    private static String ownName() {
      RandomGenerator chance = SystemTime.chance();
      return "worker-"
          + ProcessHandle.current().pid()
          + "-"
          + Integer.toHexString(chance.nextInt());
    }

    /**
     * Sets the name of the worker, which tasks show as the holder of their lease. It must be unique
     * among workers; by default it is made of the process id and a random number.
     */
    public Builder name(String unique) {
      name = unique;
      return this;
    }

    /** Maximum number of handlers that run at once; twice the number of cores by default. */
    public Builder concurrency(int executors) {
      concurrency = executors;
      return this;
    }

    /**
     * Maximum number of tasks that wait on this worker for an executor; 1,000 by default. The
     * worker buffers only as many tasks as its handlers perform in about 50 ms, so none for slow
     * handlers.
     */
    public Builder localBuffer(int tasks) {
      localBuffer = tasks;
      return this;
    }

    /**
     * Begins tasks of lower priorities, of all the worker's handlers, only while none of a higher
     * one is due. By default handlers with due tasks take turns, and low priorities age, so that
     * every due task begins. In strict order a task may wait for ever.
     */
    public Builder strictPriority() {
      strictPriority = true;
      return this;
    }

    /**
     * Sets threads for handlers instead of the worker's own. The executor must run {@link
     * #concurrency} loops at once for the life of the worker, and allow interrupts of its threads.
     */
    public Builder executor(Executor executors) {
      executor = executors;
      return this;
    }

    /**
     * How long a handler may go on after its lease was lost before it is abandoned, or the JVM
     * halts; 500 ms by default, at most a quarter of the lease. The longer the grace time, the
     * earlier handlers are cancelled.
     */
    public Builder terminationGrace(Duration grace) {
      terminationGrace = grace;
      return this;
    }

    /** How long {@link Worker#close} waits for handlers before it cancels them; 30 s by default. */
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

    /**
     * Takes from the errors of attempts what must not leave the application; by default class,
     * message and stack trace are reported as they are.
     */
    public Builder redactErrors(ErrorRedaction newRedaction) {
      redaction = newRedaction;
      return this;
    }

    /** Adds code around every attempt; the interceptor that was added first is the outermost. */
    public Builder intercept(HandlerInterceptor next) {
      HandlerInterceptor outer = interceptor;
      interceptor =
          (context, attempt) -> outer.perform(context, inside -> next.perform(inside, attempt));
      return this;
    }

    /**
     * Replaces how the JVM is halted for handlers with {@link HandlerOptions#HALT_JVM}, for example
     * to kill child processes first. Switches nothing on for other handlers.
     */
    public Builder haltBy(JvmHalt lastResort) {
      halt = lastResort;
      return this;
    }

    /** For tests. */
    public Builder time(ClientTime newTime) {
      time = newTime;
      return this;
    }

    /**
     * Returns the worker. Throws {@link IllegalArgumentException} that names the setting and its
     * rule when a setting is invalid.
     */
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
