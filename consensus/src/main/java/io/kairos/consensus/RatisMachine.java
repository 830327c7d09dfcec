package io.kairos.consensus;

import static java.util.Objects.requireNonNull;

import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.SubmissionResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of Ratis: Ratis calls it when a request is committed, and when the state is
 * saved or replaced. Ratis calls on its own threads; the work is done on the log's thread.
 *
 * <p>Its life cycle is driven here. From the first snapshot that is installed on it is paused for
 * Ratis, which executes requests all the same: when it loads a snapshot it asks whether the machine
 * is paused, and closes the replica if not. It may pause the machine for the next snapshot before
 * it has loaded the one before, so that a machine that resumed then would not be paused.
 */
final class RatisMachine extends BaseStateMachine {
  private static final Message EXECUTED = Message.EMPTY;

  /** The index of no snapshot. */
  private static final long NONE = -1;

  /** Bound on retries: a snapshot is replaced by two renames, between which there is none. */
  private static final int MOST_LOOKS = 1_000_000;

  private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
  private final OrderThread thread;
  private final OrderedExecution execution;
  private final LeaderIntake intake;
  private final Listener onlooker;

  /** Is notified on the log's thread. */
  interface Listener {
    /** A request of the log was executed, or found to have been. */
    void executed(RequestEnvelope request, SubmissionResult result);

    /** The whole state was replaced. */
    void restored();
  }

  /** The state after an entry. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record StateAfter(@Nullable TermIndex after, byte[] state) {}

  RatisMachine(
      OrderThread thread, OrderedExecution execution, LeaderIntake intake, Listener onlooker) {
    this.thread = thread;
    this.execution = execution;
    this.intake = intake;
    this.onlooker = onlooker;
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage)
      throws IOException {
    getLifeCycle()
        .startAndTransition(
            () -> {
              super.initialize(server, group, raftStorage);
              storage.init(raftStorage);
              SingleFileSnapshotInfo latest = storage.getLatestSnapshot();
              if (latest != null) {
                load(latest);
              }
            },
            IOException.class);
  }

  @Override
  public void pause() {
    if (getLifeCycleState() == LifeCycle.State.RUNNING) {
      getLifeCycle().transition(LifeCycle.State.PAUSING);
      getLifeCycle().transition(LifeCycle.State.PAUSED);
    }
  }

  /**
   * Loads snapshots until there is no newer one. Another snapshot may be installed meanwhile, which
   * removes the files of the one before, and which Ratis does not load by itself.
   */
  @Override
  public void reinitialize() throws IOException {
    long loaded = NONE;
    for (int looks = 0; looks < MOST_LOOKS; looks++) {
      SingleFileSnapshotInfo latest = storage.loadLatestSnapshot();
      if (latest != null && latest.getIndex() == loaded) {
        return;
      }
      if (latest != null && tryLoad(latest)) {
        loaded = latest.getIndex();
      }
    }
    throw new NoSuchFileException("a snapshot that was installed");
  }

  private boolean tryLoad(SingleFileSnapshotInfo snapshot) throws IOException {
    try {
      load(snapshot);
      return true;
    } catch (NoSuchFileException _) { // another has taken its place
      return false;
    }
  }

  private void load(SingleFileSnapshotInfo latest) throws IOException {
    byte[] state = KeptState.read(latest.getFile().getPath());
    await(
        thread.handOver(() -> {
          execution.restore(state);
          setLastAppliedTermIndex(latest.getTermIndex());
          onlooker.restored();
          return EXECUTED;
        }));
  }

  @Override
  public StateMachineStorage getStateMachineStorage() {
    return storage;
  }

  @Override
  public @Nullable SingleFileSnapshotInfo getLatestSnapshot() {
    return storage.getLatestSnapshot();
  }

  /** Called at the leader before a request is ordered; its sender is told of a refusal. */
  @Override
  public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
    TransactionContext transaction = super.startTransaction(request);
    intake
        .refusal(request.getMessage().getContent().asReadOnlyByteBuffer())
        .ifPresent(why -> transaction.setException(new IOException(why)));
    return transaction;
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = requireNonNull(transaction.getLogEntry());
    TermIndex at = TermIndex.valueOf(entry);
    ByteBuffer data = ByteBuffer.wrap(entry.getStateMachineLogEntry().getLogData().toByteArray());
    return thread.handOver(() -> {
      RequestEnvelope.decode(data)
          .ifPresent(request ->
              onlooker.executed(request, execution.execute(request.origin(), request.command())));
      updateLastAppliedTermIndex(at);
      return EXECUTED;
    });
  }

  /** The position of this replica includes Ratis' own entries in the log. */
  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    CompletableFuture<Message> _ =
        thread.handOver(() -> {
          updateLastAppliedTermIndex(TermIndex.valueOf(term, index));
          return EXECUTED;
        });
  }

  @Override
  public long takeSnapshot() throws IOException {
    StateAfter taken =
        await(
            thread.handOver(() -> new StateAfter(getLastAppliedTermIndex(), execution.snapshot())));
    TermIndex after = taken.after();
    if (after == null || after.getIndex() < 0) {
      return RaftLog.INVALID_LOG_INDEX;
    }
    Path file = storage.getSnapshotFile(after.getTerm(), after.getIndex()).toPath();
    KeptState.write(file, taken.state());
    storage.updateLatestSnapshot(
        new SingleFileSnapshotInfo(
            new FileInfo(file, checked(file)), after.getTerm(), after.getIndex()));
    return after.getIndex();
  }

  /**
   * Returns the checksum of a snapshot. The installation of another snapshot may remove the folder;
   * only this snapshot is lost then.
   */
  private static MD5Hash checked(Path file) throws IOException {
    try {
      return MD5FileUtil.computeAndSaveMd5ForFile(file.toFile());
    } catch (IllegalStateException e) {
      throw new IOException("cannot keep " + file, e);
    }
  }

  /**
   * Returns the index of a snapshot on disk that is ahead of the state: it is being loaded, or
   * Ratis does not load it.
   */
  OptionalLong notLoaded() throws IOException {
    long applied = getLastAppliedTermIndex().getIndex();
    try (Stream<Path> files =
        Files.list(requireNonNull(storage.getSnapshotFile(0, 0).toPath().getParent()))) {
      return files
          .map(file -> SimpleStateMachineStorage.SNAPSHOT_REGEX.matcher("" + file.getFileName()))
          .filter(Matcher::matches)
          .mapToLong(name -> Long.parseLong(requireNonNull(name.group(2))))
          .filter(index -> index > applied)
          .max();
    }
  }

  /**
   * Fails the replica, because Ratis would go on without a log, relying on the disks of the others.
   */
  @Override
  public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
    thread.post(() -> {
      throw new IllegalStateException("the log cannot be written", cause);
    });
  }

  private static <T> T await(CompletableFuture<T> result) throws IOException {
    try {
      return result.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }
}
