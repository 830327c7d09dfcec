package io.kairos.bench.fault.scene;

import com.sun.net.httpserver.HttpServer;
import io.kairos.bench.credential.CredentialRun;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.task.ExecutionLog.Execution;
import io.kairos.bench.task.TaskWorkerMain;
import io.kairos.bench.task.TaskWorkers;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.TaskRequest;
import io.kairos.client.push.Push;
import io.kairos.client.push.PushHandler;
import io.kairos.client.push.PushReply;
import io.kairos.client.push.WebhookVerifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;

/**
 * Nodes that ask for credentials, two workers that have them, and tasks of three callers in turn,
 * who show a token, a JSON Web Token and a certificate. A part of the tasks is pushed to a pool in
 * this process, which checks the signatures.
 */
public final class CredentialScene extends TaskScene {
  private static final int WORKERS = 2;
  private static final int EXECUTORS = 4;
  private static final int CALLERS = 32;
  private static final int PUSHED_EVERY = 10;
  private static final String POOL = "bench-signed";

  private final List<KairosClient> callers;
  private final TaskWorkers workers;
  private final List<Execution> executions = new ArrayList<>();
  private final Queue<Arrival> pushes = new ConcurrentLinkedQueue<>();

  private record Arrival(long sequence, long dueMicros, long atMicros, boolean intact) {}

  /** All is ready; nothing is scheduled yet. */
  public CredentialScene(FaultContext context, BenchRig rig, CredentialRun run)
      throws SQLException {
    super(context, rig);
    callers =
        List.of(
            client,
            rig.keep(
                run.byCertificate()
                    .apply(KairosClient.builder(rig.addresses()).token(run.webTokens()))
                    .build()),
            rig.keep(run.byCertificate().apply(KairosClient.builder(rig.addresses())).build()));
    workers = TaskWorkers.start(rig, WORKERS, EXECUTORS, Duration.ZERO, run.ofWorkers());
    receive();
  }

  private void receive() {
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot receive pushes", e);
    }
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    String secret = client.pools().create(PoolDefinition.of(POOL).listed(url)).secrets().getFirst();
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", new PushHandler(WebhookVerifier.of(secret), this::pushed));
    server.start();
    rig.keep(() -> server.stop(0));
  }

  private PushReply pushed(Push push) {
    byte[] body = push.body();
    pushes.add(
        new Arrival(
            LoadPayload.sequence(body),
            LoadPayload.dueMicros(body),
            LoadClock.micros(),
            payload.isOurs(body) && payload.isIntact(body)));
    return PushReply.done();
  }

  public void startLoad() {
    startLoad(context.options.rate, 1, CALLERS);
  }

  @Override
  protected KairosClient client(long sequence) {
    return callers.get((int) (sequence % callers.size()));
  }

  @Override
  protected TaskRequest.Builder request(long sequence) {
    return sequence % PUSHED_EVERY == 0
        ? TaskRequest.toPool(POOL, "/")
        : TaskRequest.to(TaskWorkerMain.HANDLER);
  }

  @Override
  protected void stop(ArrivalLedger ledger) {
    workers.stop(executions::add);
    executions.sort(Comparator.comparingLong(Execution::beganNanos));
    executions.forEach(one -> one.into(ledger));
    pushes.forEach(
        one -> ledger.arrived(one.sequence(), one.dueMicros(), one.atMicros(), one.intact()));
  }

  /** Tasks that were pushed with a good signature. */
  public int verified() {
    return pushes.size();
  }

  /**
   * Executions by workers that began before an earlier one of the same task had ended; only after
   * the scene is settled.
   */
  public long overlapping() {
    Map<Long, Long> ends = new HashMap<>();
    long count = 0;
    for (Execution one : executions) {
      Long end = ends.get(one.sequence());
      count += end != null && one.beganNanos() < end ? 1 : 0;
      ends.merge(one.sequence(), one.endedNanos(), Math::max);
    }
    return count;
  }
}
