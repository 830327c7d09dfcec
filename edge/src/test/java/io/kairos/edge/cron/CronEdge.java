package io.kairos.edge.cron;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.kairos.consensus.RatisConfig;
import io.kairos.consensus.RatisLog;
import io.kairos.consensus.ReplicaAddress;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.edge.HttpEdge;
import io.kairos.edge.ProcessView;
import io.kairos.edge.WrittenAudit;
import io.kairos.edge.access.HttpConfig;
import io.kairos.embedded.LoopbackPort;
import io.kairos.engine.audit.AuditTrail;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.TickListener;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.SubmissionResult;
import io.kairos.engine.replica.VoteSender;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An edge on a free port with the one replica of a cluster behind it, for which the test ticks. */
final class CronEdge implements AutoCloseable, ReplicaDesk {
  static final int MAX_PAYLOAD = 1_000;
  static final int DIGEST_EVERY = 5;

  /** What its own clock shows. */
  static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();
  private static final ReplicaId SELF = new ReplicaId(0);
  private static final long LOOK_AGAIN_NANOS = 1_000_000;
  private static final long RESEND_NANOS = 50_000_000;

  private final EntryBook book = new EntryBook(List.of(new Notebook()));
  private final CronMachine machine =
      new CronMachine(
          new CronMachine.Config(
              new ReplicaGroup(1, ReplicaGroup.Faults.CRASH),
              true,
              ClockLimits.PUBLISHED,
              CronMachine.Config.DEFAULT_MAX_BYTES),
          book,
          CronListener.NONE,
          TickListener.NONE);
  private final ReplicaAddress address;
  private final RatisLog log;
  private final VoteSender votes;
  private final HttpEdge edge;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  final ManagedChannel channel;
  private final Thread resending;
  private volatile boolean closing;

  /** Why it serves nothing; null while it does. */
  volatile @Nullable String stopped;

  /** Whether it says that its ticks have a time. */
  volatile boolean hasTime = true;

  /** What every request is answered, instead of being submitted; null for none. */
  volatile @Nullable SubmissionResult scripted;

  CronEdge(Path directory) throws IOException {
    address = new ReplicaAddress("127.0.0.1", LoopbackPort.choose());
    log =
        RatisLog.open(
            new RatisConfig(
                "orders",
                SELF,
                List.of(address),
                directory,
                Optional.empty(),
                new OrderedExecution.Config(1_000, DIGEST_EVERY),
                RatisConfig.Limits.DEFAULT),
            machine,
            broken -> {
              throw new AssertionError(broken);
            });
    votes = new VoteSender(log);
    resending = Thread.ofVirtual().start(this::resend);
    while (log.leader().isEmpty()) {
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    edge =
        HttpEdge.start(
            HttpConfig.of(LOCAL, 0, MAX_PAYLOAD, List.of()),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
            new View(new WrittenAudit()),
            List.of(new CronCalls(this, MAX_PAYLOAD, new SplittableRandom(7), () -> NOW)));
    channel =
        NettyChannelBuilder.forAddress(LOCAL.getHostAddress(), edge.port()).usePlaintext().build();
  }

  /** As a replica does for as long as it runs: else what the log did not take up is lost. */
  private void resend() {
    Step step = log.resending();
    while (!closing) {
      step.runOnce();
      LockSupport.parkNanos(RESEND_NANOS);
    }
  }

  private record View(WrittenAudit written) implements ProcessView {
    @Override
    public Optional<AuditTrail> audit() {
      return Optional.of(written.trail);
    }

    @Override
    public String greeting() {
      return "This is a replica.";
    }

    @Override
    public List<String> obstacles() {
      return List.of();
    }
  }

  @Override
  public <T> CompletableFuture<T> read(Function<ReplicaView, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    String why = stopped;
    if (why != null) {
      answer.completeExceptionally(new ReplicaStoppedException(why));
      return answer;
    }
    log.post(() -> {
      try {
        answer.complete(question.apply(new ReplicaView(machine, book, log)));
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
    });
    return answer;
  }

  @Override
  public CompletableFuture<SubmissionResult> submit(ClientId client, long request, byte[] command) {
    CompletableFuture<SubmissionResult> answer = new CompletableFuture<>();
    String why = stopped;
    SubmissionResult instead = scripted;
    if (why != null) {
      answer.completeExceptionally(new ReplicaStoppedException(why));
    } else if (instead != null) {
      answer.complete(instead);
    } else {
      log.submit(client, request, command, answer::complete);
    }
    return answer;
  }

  @Override
  public ReplicaFacts facts() {
    return new ReplicaFacts(
        "orders",
        SELF,
        List.of(new ReplicaFacts.Peer(SELF, address.toString(), "cron.example:7171")),
        hasTime,
        log.leader().orElse(null));
  }

  String logAddress() {
    return address.toString();
  }

  /** Has the next round of a component begin at this time; returns the number of its tick. */
  long tick(long component, Instant time) {
    ComponentId id = new ComponentId(component);
    ClientId client = ClientId.ofTicks(SELF, id);
    long round = read(replica -> replica.machine().rounds().round(id)).join() + 1;
    long request = read(replica -> replica.log().lastRequest(client)).join() + 1;
    byte[] tick = new LogCommand.Tick(id, round, time.toEpochMilli()).encode();
    return switch (submit(client, request, tick).join()) {
      case SubmissionResult.Done(long sequence, byte[] _) -> sequence;
      case SubmissionResult other -> throw new AssertionError(other);
    };
  }

  /** Says what its state was at the last checkpoint, if that is new. */
  void vote() {
    log.post(votes::look);
  }

  HttpResponse<String> rest(String method, String path, String json)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
            URI.create("http://" + LOCAL.getHostAddress() + ":" + edge.port() + path));
    request.method(
        method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
    request.header("content-type", "application/json");
    return http.send(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    channel.shutdownNow();
    http.shutdownNow();
    http.close();
    edge.close();
    closing = true;
    try {
      resending.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    log.close();
  }
}
