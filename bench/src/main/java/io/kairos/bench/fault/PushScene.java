package io.kairos.bench.fault;

import io.kairos.bench.load.DueTimes;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.push.PushWorkerMain;
import io.kairos.bench.push.PushWorkerMain.Filter;
import io.kairos.bench.push.PushedEffects;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.WorkerProcess;
import io.kairos.bench.task.KairosTarget;
import io.kairos.bench.task.TaskLoad;
import io.kairos.bench.task.TaskStoreCount;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.PoolStatus;
import io.kairos.client.RetryPolicy;
import io.kairos.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A pool as shipped of three HTTP workers, each a process at an address of its own, and tasks that
 * are pushed to it. On a rig with one node; begun and ended by the fault's thread.
 */
final class PushScene implements AutoCloseable {
  private static final int WORKERS = 3;
  private static final int BATCH = 10;
  private static final int CALLERS = 4;
  private static final Duration READY_WITHIN = Duration.ofMinutes(1);
  private static final Duration AWAY = Duration.ofSeconds(2);
  private static final Duration CONNECT_WITHIN = Duration.ofMillis(500);

  /** Some pauses of an ejected worker. */
  private static final Duration QUIET = Duration.ofSeconds(40);

  private static final RetryPolicy SOON =
      RetryPolicy.attempts(100).backoff(Duration.ofMillis(100), 1, Duration.ofMillis(100));

  private static final String CUT = "kairos_push_unknown_total";

  private final FaultContext context;
  private final Filter filter;
  private final Rig rig;
  private final KairosClient client;
  private final Connection connection;
  private final String pool;
  private final int[] ports;
  private final String secret;
  private final List<WorkerProcess> workers = new ArrayList<>();
  private final TaskStoreCount before;
  private final double cutBefore;
  private final Payload payload;
  private final TaskLoad load;
  private int started;

  private PushScene(
      FaultContext context, Filter filter, Rig rig, KairosClient client, Connection connection)
      throws SQLException {
    this.context = context;
    this.filter = filter;
    this.rig = rig;
    this.client = client;
    this.connection = connection;
    payload = new Payload(new SplittableRandom().nextLong() >>> 1, context.load().valueBytes());
    pool = "bench-" + filter;
    ports = IntStream.generate(Rig::freePort).distinct().limit(WORKERS).toArray();
    String[] urls =
        IntStream.of(ports).mapToObj(port -> "http://127.0.0.1:" + port).toArray(String[]::new);
    secret = client.pools().create(PoolDefinition.of(pool).listed(urls)).secrets().getFirst();
    before = TaskStoreCount.of(connection);
    cutBefore = cut();
    boolean complete = false;
    try {
      for (int port : ports) {
        workers.add(start(port));
      }
      for (int port : ports) {
        if (!Waiting.until(() -> listens(port), READY_WITHIN)) {
          throw new IllegalStateException("a worker does not listen");
        }
      }
      load = load();
      complete = true;
    } finally {
      if (!complete) {
        workers.forEach(WorkerProcess::close);
      }
    }
  }

  /** Workers are ready, and tasks come. */
  static PushScene begin(
      FaultContext context, Filter filter, Rig rig, KairosClient client, Connection connection)
      throws SQLException {
    return new PushScene(context, filter, rig, client, connection);
  }

  private WorkerProcess start(int port) {
    started++;
    return PushWorkerMain.start(
        new PushWorkerMain.Settings(port, secret, filter, url(rig.postgres())),
        context.workplace().resolve(pool + "-" + started + ".log"));
  }

  private static String url(EmbeddedPostgres postgres) {
    String url = postgres.jdbcUrl();
    return "%s%suser=%s&password=%s"
        .formatted(url, url.contains("?") ? "&" : "?", postgres.user(), postgres.password());
  }

  private TaskLoad load() {
    return new TaskLoad(
            KairosTarget.ofPool(client, pool).with((_, request) -> request.retryPolicy(SOON)),
            new TaskLoad.Plan(
                context.load().perSecond(), BATCH, 0, CALLERS, WallClock.micros(), Long.MAX_VALUE),
            payload,
            DueTimes.after(Duration.ZERO, Duration.ZERO, payload.run()),
            () -> 0)
        .start();
  }

  /**
   * SIGKILL for one of the workers, in turn, and after a while a new one in its place.
   *
   * @return false when the pool did not take it back
   */
  boolean kill(int number) throws SQLException {
    int turn = number % WORKERS;
    workers.get(turn).kill();
    Waiting.pass(AWAY);
    workers.set(turn, start(ports[turn]));
    return Waiting.until(() -> listens(ports[turn]) && noneIsLeftOut(), READY_WITHIN);
  }

  private boolean noneIsLeftOut() {
    return client.pools().get(pool).endpoints().stream().allMatch(PoolStatus.Endpoint::isServing);
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
          Math.toIntExact(CONNECT_WITHIN.toMillis()));
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Requests that were sent and not answered. */
  private double cut() {
    try {
      return rig.nodes().getFirst().metrics().sum(CUT);
    } catch (IOException e) {
      throw new UncheckedIOException("the node does not tell its metrics", e);
    }
  }

  /**
   * What is left when it is over.
   *
   * @param accounts performed is what had an effect, again what had another
   * @param cut requests that were sent and not answered
   */
  record Outcome(TaskAccounts accounts, PushedEffects.Count effects, double cut) {}

  /** Ends the load, waits until all has ended, and counts. */
  Outcome settle() throws SQLException, InterruptedException {
    load.stop();
    load.join();
    Waiting.until(() -> TaskStoreCount.unfinished(connection) == before.unfinished(), QUIET);
    workers.forEach(WorkerProcess::stop);
    Ledger effects = Ledger.ofEverything(0);
    PushedEffects.Count count = PushedEffects.read(connection, payload.run(), effects);
    return new Outcome(
        TaskAccounts.of(load, effects, TaskStoreCount.of(connection).since(before)),
        count,
        cut() - cutBefore);
  }

  @Override
  public void close() {
    load.close();
    workers.forEach(WorkerProcess::close);
  }
}
