package io.kairos.inprocess;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.client.KairosClient;
import io.kairos.client.ResultTaskType;
import io.kairos.client.TaskRequest;
import io.kairos.client.TaskType;
import io.kairos.client.TransactionalTasks;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.handler.Handler;
import io.kairos.client.handler.HandlerInterceptor;
import io.kairos.client.handler.HandlerOptions;
import io.kairos.client.handler.ResultHandler;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import io.kairos.client.worker.Worker;
import io.kairos.client.worker.WorkerListener;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.postgres.ApplicationDatabase;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.SchemaConfig;
import io.kairos.postgres.UnsafeStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A node of Kairos inside an application, on the application's own Postgres, which performs the
 * application's handlers. Any number of applications and servers share one schema; each task is
 * performed by one of them at a time, and what a dead one held is taken over within seconds.
 *
 * <pre>{@code
 * try (Kairos kairos =
 *     Kairos.inProcess(dataSource).handle(RESIZE, (resize, context) -> resized(resize)).start()) {
 *   KairosClient client = kairos.client();
 *   client.schedule(RESIZE.task(new Resize("42.png")).delay(Duration.ofMinutes(5)).build());
 * }
 * }</pre>
 *
 * <p>The client is the one that calls servers, so an application moves to a server by the line that
 * makes it. It keeps five connections of the data source until it is closed: one for liveness, one
 * that listens, the others for work. Handlers run on platform threads of their own. Thread-safe.
 */
public final class Kairos implements AutoCloseable {
  private final InProcessRun run;
  private final @Nullable Worker worker;
  private final KairosClient client;
  private final Transactions transactions;

  private Kairos(
      InProcessRun run, @Nullable Worker worker, KairosClient client, Transactions transactions) {
    this.run = run;
    this.worker = worker;
    this.client = client;
    this.transactions = transactions;
  }

  /**
   * Returns the settings of a node on a Postgres.
   *
   * @param dataSource of the application, best a pool; its connections are those of the Postgres
   *     driver, or can be unwrapped to them
   */
  public static Builder inProcess(DataSource dataSource) {
    return new Builder(dataSource);
  }

  /**
   * Returns the client whose calls this node serves: those about tasks and schedules. Others throw
   * an {@link io.kairos.client.error.UnknownMethodException}, and need a server. It is closed with
   * this node.
   */
  public KairosClient client() {
    return client;
  }

  /**
   * Schedules a task in the application's own transaction, as {@link TransactionalTasks} does: it
   * is stored if and only if that transaction commits.
   *
   * @param connection connection of the transaction, not in auto-commit mode; to the database of
   *     this node, by any data source
   * @throws io.kairos.client.error.InvalidRequestException as that does, and when nobody has the
   *     handler; the transaction can go on
   */
  public TaskId schedule(Connection connection, TaskRequest task) throws SQLException {
    return schedule(connection, List.of(task)).getFirst();
  }

  /** Schedules tasks like {@link #schedule(Connection, TaskRequest)}, for instance a graph. */
  public List<TaskId> schedule(Connection connection, List<TaskRequest> tasks) throws SQLException {
    return transactions.schedule(connection, tasks);
  }

  /**
   * Drains: no task begins any more, those that have begun may end within the drain time, and all
   * others go to the other nodes at once. Then gives the connections back. Idempotent.
   */
  @Override
  public void close() {
    if (worker != null) {
      worker.close();
    }
    client.close();
    run.close();
  }

  /** Settings of a node. Not thread-safe. */
  public static final class Builder {
    private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(1_500);

    private final DataSource dataSource;
    private final Map<String, Consumer<Worker>> handlers = new LinkedHashMap<>();
    private final Set<String> elsewhere = new TreeSet<>();
    private final List<HandlerInterceptor> interceptors = new ArrayList<>();
    private String schema = "kairos";
    private boolean migrates = true;
    private boolean allowsUnsafeDurability;
    private int connections = 5;
    private Duration statementTimeout = Duration.ofSeconds(3);
    private int concurrency = Runtime.getRuntime().availableProcessors() * 2;
    private Duration drainTime = Duration.ofSeconds(30);
    private @Nullable Executor executor;
    private @Nullable EncryptedPayloads encryption;
    private WorkerListener listener = WorkerListener.NONE;

    private Builder(DataSource dataSource) {
      this.dataSource = requireNonNull(dataSource, "dataSource");
    }

    /**
     * Sets the schema of Kairos' tables; {@code kairos} by default. It is made when it is missing.
     * Servers on the same tables name it by {@code postgres.schema}.
     */
    public Builder schema(String name) {
      require(
          SchemaConfig.isName(name),
          "schema must be 1 to 63 lower-case letters, digits and underscores, must not begin with a"
              + " digit, and not with pg_, which Postgres keeps for itself");
      schema = name;
      return this;
    }

    /**
     * Leaves the schema as it is, for an application that may not change it: the start is refused
     * when it is older than this version of Kairos. {@code kairos schema migrate} brings it up to
     * date, {@code kairos schema print} prints what that does.
     */
    public Builder withoutMigration() {
      migrates = false;
      return this;
    }

    /** Works on a database that may lose what it has acknowledged, such as one without fsync. */
    public Builder allowUnsafeDurability() {
      allowsUnsafeDurability = true;
      return this;
    }

    /**
     * Most connections that are taken from the data source, and kept; 3 to 100, 5 by default. A
     * pool needs at least one more, for the application.
     */
    public Builder connections(int most) {
      ApplicationDatabase.requireConnections(most);
      connections = most;
      return this;
    }

    /** How long one statement may run or wait for a lock, 0.1 s to 10 min; 3 s by default. */
    public Builder statementTimeout(Duration most) {
      require(
          most.compareTo(Duration.ofMillis(100)) >= 0
              && most.compareTo(Duration.ofMinutes(10)) <= 0,
          "statementTimeout must be 0.1 s to 10 min, or a statement that hangs would not be noticed");
      statementTimeout = most;
      return this;
    }

    /** Maximum number of handlers that run at once; twice the number of cores by default. */
    public Builder concurrency(int executors) {
      require(executors >= 1 && executors <= 10_000, "concurrency must be 1 to 10,000");
      concurrency = executors;
      return this;
    }

    /**
     * Sets threads for handlers instead of own ones. The executor must run {@link #concurrency}
     * loops at once until the node is closed, and allow interrupts of its threads; one whose
     * threads are virtual suits handlers that wait and do not compute.
     */
    public Builder executor(Executor executors) {
      executor = executors;
      return this;
    }

    /** How long {@link Kairos#close} waits for handlers before it cancels them; 30 s by default. */
    public Builder drainTime(Duration most) {
      require(!most.isNegative(), "drainTime must not be negative");
      drainTime = most;
      return this;
    }

    /** Encrypts payloads, results and error texts, as clients and workers of servers do. */
    public Builder encryption(EncryptedPayloads payloads) {
      encryption = payloads;
      return this;
    }

    /** Adds code around every attempt; the interceptor that was added first is the outermost. */
    public Builder intercept(HandlerInterceptor next) {
      interceptors.add(next);
      return this;
    }

    /** Sets a listener to the attempts of this application. */
    public Builder listener(WorkerListener newListener) {
      listener = newListener;
      return this;
    }

    /** Registers the handler of a type of tasks. */
    public <T> Builder handle(TaskType<T> type, Handler<? super T> code) {
      return handle(type, code, HandlerOptions.DEFAULT);
    }

    /** Registers the handler of a type of tasks, with options. */
    public <T> Builder handle(TaskType<T> type, Handler<? super T> code, HandlerOptions options) {
      return add(type.handler(), worker -> worker.handle(type, code, options));
    }

    /** Registers the handler of a type of tasks with results. */
    public <T, R> Builder handle(
        ResultTaskType<T, R> type, ResultHandler<? super T, ? extends R> code) {
      return handle(type, code, HandlerOptions.DEFAULT);
    }

    /** Registers the handler of a type of tasks with results, with options. */
    public <T, R> Builder handle(
        ResultTaskType<T, R> type,
        ResultHandler<? super T, ? extends R> code,
        HandlerOptions options) {
      return add(type.handler(), worker -> worker.handle(type, code, options));
    }

    /** Registers a handler by name. */
    public <T> Builder handle(String handler, PayloadCodec<T> codec, Handler<? super T> code) {
      return add(handler, worker -> worker.handle(handler, codec, code));
    }

    private Builder add(String handler, Consumer<Worker> registration) {
      if (handlers.putIfAbsent(handler, registration) != null) {
        throw new IllegalArgumentException(
            "the handler %s is registered already: the second one needs another name"
                .formatted(handler));
      }
      return this;
    }

    /**
     * Names handlers whose tasks this application schedules and others perform: other applications,
     * or workers of servers. An application without any handler of its own may schedule all.
     */
    public Builder handledElsewhere(String... names) {
      elsewhere.addAll(List.of(names));
      return this;
    }

    /**
     * Brings the schema up to date and starts the node. Returns when the node may act, after some
     * hundred milliseconds.
     *
     * @throws InProcessStartException when the database cannot be used, with what to do: its schema
     *     is of another build, it gives too few connections, or it does not answer
     * @throws IllegalArgumentException when a setting breaks its rule
     */
    public Kairos start() {
      KnownHandlers known = known(Set.copyOf(handlers.keySet()));
      InProcessRun run = node(known);
      boolean started = false;
      try {
        KairosClient client = client(run);
        Transactions transactions = new Transactions(schema, known, encryption);
        Kairos kairos =
            new Kairos(run, worker(run), client, transactions); // its threads start last
        started = true;
        return kairos;
      } finally {
        if (!started) {
          run.close();
        }
      }
    }

    /** Returns the handlers that the application and others have. */
    KnownHandlers known(Set<String> own) {
      return new KnownHandlers(own, Set.copyOf(elsewhere));
    }

    /** Starts the node alone. */
    InProcessRun node(KnownHandlers known) {
      SchemaConfig place =
          new SchemaConfig(schema, migrates ? SchemaConfig.Migrate.ON : SchemaConfig.Migrate.OFF);
      ApplicationDatabase database =
          new ApplicationDatabase(
              dataSource,
              connections,
              place,
              statementTimeout,
              CONNECT_TIMEOUT,
              allowsUnsafeDurability);
      // Some hundred milliseconds, which pass while the database answers.
      var _ = Thread.ofPlatform().daemon().name("kairos-start").start(ApiMessages::load);
      try {
        return InProcessRun.start(PostgresStores.within(database), known);
      } catch (UnsafeStoreException | StoreUnavailable e) {
        throw new InProcessStartException("Kairos cannot start: " + e.getMessage() + ".", e);
      }
    }

    private @Nullable Worker worker(InProcessRun run) {
      if (handlers.isEmpty()) {
        return null;
      }
      Worker.Builder settings =
          Worker.builder(run.node())
              .concurrency(concurrency)
              .drainTime(drainTime)
              .listener(listener);
      if (executor != null) {
        settings.executor(executor);
      }
      if (encryption != null) {
        settings.encryption(encryption);
      }
      interceptors.forEach(settings::intercept);
      Worker worker = settings.build();
      handlers.values().forEach(registration -> registration.accept(worker));
      worker.start();
      return worker;
    }

    private KairosClient client(InProcessRun run) {
      KairosClient.Builder settings = KairosClient.builder(run.node());
      if (encryption != null) {
        settings.encryption(encryption);
      }
      return settings.build();
    }
  }
}
