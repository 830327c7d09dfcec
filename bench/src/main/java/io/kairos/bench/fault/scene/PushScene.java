package io.kairos.bench.fault.scene;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.push.PushWorkerMain;
import io.kairos.bench.push.PushWorkerMain.Filter;
import io.kairos.bench.push.PushedEffects;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.client.PoolDefinition;
import io.kairos.client.PoolStatus;
import io.kairos.client.TaskRequest;
import io.kairos.embedded.LoopbackPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A pool as shipped of three HTTP workers, each a process at an address of its own, and tasks that
 * are pushed to it.
 */
public final class PushScene extends TaskScene {
  private static final int WORKERS = 3;
  private static final int BATCH = 10;
  private static final int CALLERS = 4;
  private static final Duration READY_WITHIN = Duration.ofMinutes(1);
  private static final Duration AWAY = Duration.ofSeconds(2);

  private final Filter filter;
  private final String pool;
  private final int[] ports;
  private final String secret;
  private final List<BenchProcess> workers = new ArrayList<>();
  private PushedEffects.Count effects = new PushedEffects.Count(0, 0, 0);
  private int started;

  /** Workers are ready, and tasks come. */
  public PushScene(FaultContext context, BenchRig rig, Filter filter) throws SQLException {
    super(context, rig);
    this.filter = filter;
    pool = "bench-" + filter;
    ports = IntStream.generate(LoopbackPort::choose).distinct().limit(WORKERS).toArray();
    String[] urls =
        IntStream.of(ports).mapToObj(port -> "http://127.0.0.1:" + port).toArray(String[]::new);
    secret = client.pools().create(PoolDefinition.of(pool).listed(urls)).secrets().getFirst();
    for (int port : ports) {
      workers.add(start(port));
    }
    for (int port : ports) {
      if (!BenchWait.until(() -> listens(port), READY_WITHIN, LOOK_EVERY)) {
        throw new IllegalStateException("a worker does not listen");
      }
    }
    startLoad(context.options.rate, BATCH, CALLERS);
  }

  private BenchProcess start(int port) {
    started++;
    return rig.keep(
        PushWorkerMain.start(
            new PushWorkerMain.Settings(port, secret, filter, rig.databaseUrl()),
            context.resolve(pool + "-" + started + ".log")));
  }

  @Override
  protected TaskRequest.Builder request(long sequence) {
    return TaskRequest.toPool(pool, "/").retryPolicy(SOON);
  }

  /**
   * SIGKILL for one of the workers, in turn, and after a while a new one in its place.
   *
   * @return false when the pool did not take it back
   */
  public boolean kill(int number) throws SQLException {
    int turn = number % WORKERS;
    workers.get(turn).kill();
    BenchWait.pass(AWAY);
    workers.set(turn, start(ports[turn]));
    return BenchWait.until(() -> listens(ports[turn]) && noneIsLeftOut(), READY_WITHIN, LOOK_EVERY);
  }

  private boolean noneIsLeftOut() {
    return client.pools().get(pool).endpoints().stream().allMatch(PoolStatus.Endpoint::isServing);
  }

  private static boolean listens(int port) {
    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  protected void stop(ArrivalLedger ledger) throws SQLException {
    workers.forEach(BenchProcess::stop);
    effects = PushedEffects.read(connection, payload.run(), ledger);
  }

  /** Counts of the tasks beside their effects; only after the scene is settled. */
  public PushedEffects.Count effects() {
    return effects;
  }
}
