package io.kairos.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.RecordingMachine;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.SubmissionResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.apache.ratis.util.SizeInBytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RatisMachineTest {
  private static final ReplicaGroup ALONE = new ReplicaGroup(1, ReplicaGroup.Faults.CRASH);

  @TempDir Path directory;
  private final CompletableFuture<Throwable> broken = new CompletableFuture<>();
  private final OrderThread thread = new OrderThread("test", broken::complete);
  private Runnable onRestored = () -> {};
  private final RecordingMachine recording = new RecordingMachine(() -> onRestored.run());
  private final RatisMachine machine =
      new RatisMachine(
          thread,
          execution(recording),
          new LeaderIntake(ALONE, 20),
          new RatisMachine.Listener() {
            @Override
            public void executed(RequestEnvelope request, SubmissionResult result) {}

            @Override
            public void restored() {}
          });

  private static OrderedExecution execution(RecordingMachine machine) {
    return new OrderedExecution(machine, OrderedExecution.Config.DEFAULT, ALONE);
  }

  @AfterEach
  void closeThread() {
    thread.close(() -> {});
  }

  private RaftStorage storage() throws IOException {
    RaftStorage storage =
        RaftStorage.newBuilder()
            .setDirectory(directory.toFile())
            .setOption(RaftStorage.StartupOption.FORMAT)
            .setLogCorruptionPolicy(RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION)
            .setStorageFreeSpaceMin(SizeInBytes.ZERO)
            .build();
    storage.initialize();
    return storage;
  }

  /** The state after so many requests, as Ratis leaves one that it was sent. */
  private void install(int requests) {
    OrderedExecution other = execution(new RecordingMachine());
    for (int i = 1; i <= requests; i++) {
      other.execute(new RequestOrigin(new ClientId(1), i, null), new byte[0]);
    }
    Path file =
        directory.resolve("sm/" + SimpleStateMachineStorage.getSnapshotFileName(1, requests));
    try {
      KeptState.write(file, other.snapshot());
      MD5FileUtil.computeAndSaveMd5ForFile(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A leader may send one while Ratis, which forgets that, loads the one before it. */
  @Test
  void cc31_a_snapshot_that_is_installed_while_another_is_loaded_is_loaded_as_well()
      throws IOException {
    machine.getLifeCycle().startAndTransition(() -> {});
    machine.getStateMachineStorage().init(storage());
    machine.pause();
    install(10);
    onRestored =
        () -> {
          onRestored = () -> {};
          machine.pause();
          install(20);
        };

    machine.reinitialize();

    assertThat(recording.executed()).hasSize(20);
    assertThat(machine.getLatestSnapshot()).extracting(SnapshotInfo::getIndex).isEqualTo(20L);
    assertThat(machine.notLoaded()).isEmpty();
    // Ratis asks for it before it loads the next.
    assertThat(machine.getLifeCycleState()).isEqualTo(LifeCycle.State.PAUSED);
  }

  @Test
  void a_snapshot_that_is_not_loaded_is_seen() throws IOException {
    machine.getLifeCycle().startAndTransition(() -> {});
    machine.getStateMachineStorage().init(storage());
    machine.pause();
    install(10);
    machine.reinitialize();

    install(30);

    assertThat(machine.notLoaded()).hasValue(30);
  }

  @Test
  void a_log_that_cannot_be_written_stops_its_replica() {
    machine.notifyLogFailed(new IOException("no space left"), null);

    assertThat(broken.join()).hasRootCauseMessage("no space left");
    CompletableFuture<String> late = new CompletableFuture<>();
    thread.post(() -> late.complete("ran"), () -> late.complete("did not run"));
    assertThat(late.join()).isEqualTo("did not run");
    assertThat(thread.handOver(() -> "ran")).failsWithin(Duration.ofSeconds(30));
  }
}
