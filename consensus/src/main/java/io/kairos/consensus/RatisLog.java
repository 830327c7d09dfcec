package io.kairos.consensus;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.PostedStep;
import io.kairos.engine.replica.RequestSubmissions;
import io.kairos.engine.replica.StateMachine;
import io.kairos.engine.replica.SubmissionResult;
import io.kairos.engine.replica.SubmittingLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.ExitUtils;

/**
 * One replica of a log on Apache Ratis. Tolerates crashes of fewer than half of the replicas, and
 * assumes that all run this code. A request is answered as done when it is on the disks of a
 * majority.
 *
 * <p>The only state in addition to that of Ratis is the pending requests. This replica sends each
 * request to the leader, again after a failure, and answers it when it has executed it.
 */
public final class RatisLog extends SubmittingLog {
  /** Rounds between two checks of snapshots, about half a minute; loading takes less. */
  private static final int ROUNDS_TO_LOAD =
      Math.toIntExact(Duration.ofSeconds(30).dividedBy(RequestSubmissions.AGAIN_EVERY));

  private final RatisConfig config;
  private final OrderThread thread;
  private final RaftGroup group;
  private final LeaderIntake intake;
  private final RatisMachine machine;
  private final RaftServer server;
  private final RaftClientRpc rpc;
  private final org.apache.ratis.protocol.ClientId sender =
      org.apache.ratis.protocol.ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong sequence = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Used on the log's thread only, like the following fields. */
  private int rounds;

  /** Index of a snapshot that was not yet loaded at the last check. */
  private OptionalLong notLoaded = OptionalLong.empty();

  static {
    // Ratis would end the process when an address is taken. disableSystemExit also replaces the
    // handler of uncaught exceptions, so the former one is put back.
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    ExitUtils.disableSystemExit();
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  /**
   * Starts a replica with its stored state.
   *
   * @param broken is notified once, on the log's thread, when an invariant is broken: this replica
   *     does nothing any more and must be closed
   * @throws IllegalStateException if its directory belongs to another
   * @throws UncheckedIOException if its directory or address cannot be used
   */
  public static RatisLog open(
      RatisConfig config, StateMachine machine, Consumer<Throwable> broken) {
    ExceptionFilter.install();
    try {
      LogDirectory.claim(config);
      RatisLog log = new RatisLog(config, machine, broken);
      log.start();
      return log;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void start() throws IOException {
    boolean started = false;
    try {
      server.start();
      started = true;
    } catch (ExitUtils.ExitException e) {
      throw new IOException("cannot listen at " + config.replicas().get(self().number()), e);
    } catch (CompletionException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      if (!started) {
        close();
      }
    }
  }

  private RatisLog(RatisConfig config, StateMachine driven, Consumer<Throwable> broken)
      throws IOException {
    super(
        new OrderedExecution(driven, config.execution(), config.cluster()),
        new RequestSubmissions.Bounds(
            config.limits().maxPending(),
            config.limits().maxPendingOfClient(),
            config.limits().answerWithin()));
    this.config = config;
    this.thread = new OrderThread("kairos-log-" + config.self().number(), broken);
    this.group = group(config);
    this.intake = new LeaderIntake(config.cluster(), config.limits().ticksPerSecond());
    this.machine = new RatisMachine(thread, execution, intake, new MachineEvents());
    RaftProperties properties = RatisProperties.of(config);
    Parameters parameters = RatisProperties.parameters(config);
    this.server =
        RaftServer.newBuilder()
            .setServerId(peerId(config.self()))
            .setGroup(group)
            .setProperties(properties)
            .setParameters(parameters)
            .setStateMachine(machine)
            .setOption(StartupOption.RECOVER) // makes what is not there yet
            .build();
    this.rpc = new GrpcFactory(parameters).newRaftClientRpc(sender, properties);
    rpc.addRaftPeers(group.getPeers());
  }

  static RaftGroup group(RatisConfig config) {
    List<RaftPeer> peers = new ArrayList<>();
    for (int i = 0; i < config.replicas().size(); i++) {
      peers.add(
          RaftPeer.newBuilder()
              .setId(peerId(new ReplicaId(i)))
              .setAddress(config.replicas().get(i).toString())
              .build());
    }
    UUID name =
        UUID.nameUUIDFromBytes(
            ("kairos cluster " + config.clusterName()).getBytes(StandardCharsets.UTF_8));
    return RaftGroup.valueOf(RaftGroupId.valueOf(name), peers);
  }

  static RaftPeerId peerId(ReplicaId replica) {
    return RaftPeerId.valueOf("replica-" + replica.number());
  }

  /** Is notified of the events of the state machine. */
  private final class MachineEvents implements RatisMachine.Listener {
    @Override
    public void executed(RequestEnvelope request, SubmissionResult result) {
      sequence.set(execution.sequence());
      submissions.settle(request.origin().client(), request.origin().request(), result);
    }

    @Override
    public void restored() {
      sequence.set(execution.sequence());
      submissions.restored();
    }
  }

  @Override
  public ReplicaId self() {
    return config.self();
  }

  @Override
  public ReplicaGroup cluster() {
    return config.cluster();
  }

  @Override
  public List<Step> steps() {
    return List.of(resending());
  }

  /** The one step to run for as long as this log is open. */
  public Step resending() {
    return new PostedStep("resend", this, RequestSubmissions.AGAIN_EVERY, this::again);
  }

  private void again() {
    if (!isServing() && !closed.get()) {
      throw new IllegalStateException("Ratis has given this replica up; its log says why");
    }
    if (++rounds % ROUNDS_TO_LOAD == 0) {
      checkLoaded();
    }
    intake.refill();
    submissions.again();
  }

  /**
   * Fails when an installed snapshot is never loaded, because Ratis would wait for ever for the
   * missing entries.
   */
  private void checkLoaded() {
    OptionalLong before = notLoaded;
    try {
      notLoaded = machine.notLoaded();
    } catch (IOException | UncheckedIOException _) {
      notLoaded = OptionalLong.empty(); // the folder is being replaced by what is installed
    }
    if (notLoaded.isPresent() && notLoaded.equals(before)) {
      throw new IllegalStateException(
          "the snapshot of entry %d was installed and is not loaded: start this replica again"
              .formatted(notLoaded.getAsLong()));
    }
  }

  /**
   * Checks whether Ratis still serves, because it does not report that it gave up, for example when
   * a state cannot be read.
   */
  private boolean isServing() {
    return division().filter(each -> each.getInfo().getLifeCycleState().isRunning()).isPresent();
  }

  @Override
  public void submit(
      ClientId client, long request, byte[] command, Consumer<SubmissionResult> answered) {
    Runnable code =
        () -> {
          if (submissions.submit(client, request, command, answered)) {
            thread.post(submissions::takeUp);
          }
        };
    if (thread.isCurrent()) {
      code.run();
    } else {
      thread.post(
          code, () -> answered.accept(new SubmissionResult.Unknown("this replica has stopped")));
    }
  }

  /** Sends a request on a separate thread, because Ratis and the network block the caller. */
  @Override
  protected void propose(ClientId client, long request, byte[] command, Runnable failed) {
    byte[] envelope = RequestEnvelope.encode(config.self(), client, request, command);
    Thread.startVirtualThread(() -> {
      boolean isOrdered = false;
      try {
        isOrdered = isOrdered(envelope);
      } finally {
        if (!isOrdered) {
          thread.post(failed);
        }
      }
    });
  }

  private boolean isOrdered(byte[] envelope) {
    RaftPeerId leader = leaderId().orElse(null);
    if (leader == null) {
      return false;
    }
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(sender)
            .setServerId(leader)
            .setGroupId(group.getGroupId())
            .setCallId(calls.incrementAndGet())
            .setMessage(Message.valueOf(ByteString.copyFrom(envelope)))
            .setType(RaftClientRequest.writeRequestType())
            .build();
    try {
      return (leader.equals(peerId(config.self())) ? order(request) : rpc.sendRequest(request))
          .isSuccess();
    } catch (IOException e) {
      rpc.handleException(leader, e, rpc.shouldReconnect(e));
      return false;
    }
  }

  private RaftClientReply order(RaftClientRequest request) throws IOException {
    try {
      return server
          .submitClientRequestAsync(request)
          .get(RatisProperties.REQUEST_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(e);
    }
  }

  Optional<RaftServer.Division> division() {
    try {
      return Optional.of(server.getDivision(group.getGroupId()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Optional<RaftPeerId> leaderId() {
    return division().flatMap(each -> Optional.ofNullable(each.getInfo().getLeaderId()));
  }

  @Override
  public Optional<ReplicaId> leader() {
    return leaderId().flatMap(this::replica);
  }

  @Override
  public Optional<String> obstacle() {
    return leader().isPresent()
        ? Optional.empty()
        : Optional.of(
            "no leader is known: fewer than half of the replicas reach each other, or those at replica.peers are of another cluster");
  }

  private Optional<ReplicaId> replica(RaftPeerId id) {
    return cluster().replicas().stream().filter(each -> peerId(each).equals(id)).findFirst();
  }

  @Override
  public void onConsumed(ConsumedListener listener) {
    thread.post(() -> submissions.onConsumed(listener));
  }

  @Override
  public void post(Runnable code) {
    thread.post(code);
  }

  @Override
  public long sequence() {
    return sequence.get();
  }

  /** Must not be called on the log's thread, because it waits for that thread. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      try {
        rpc.close();
      } finally {
        server.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      thread.close(() -> submissions.end("this replica is closed"));
    }
  }
}
