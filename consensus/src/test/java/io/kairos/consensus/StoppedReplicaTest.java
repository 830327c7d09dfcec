package io.kairos.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.OrderedRequest;
import io.kairos.engine.replica.RequestSubmissions;
import io.kairos.engine.replica.StateMachine;
import io.kairos.engine.replica.SubmissionResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A single replica that cannot go on. */
@Timeout(60)
class StoppedReplicaTest {
  @TempDir Path directory;

  @Test
  void a_machine_that_throws_stops_its_replica_which_can_still_be_closed() {
    CompletableFuture<Throwable> broken = new CompletableFuture<>();
    List<SubmissionResult> answers = new CopyOnWriteArrayList<>();
    try (RatisLog log =
        RatisLog.open(
            config(RatisReplicas.freeAddresses(1).getFirst()), new Throwing(), broken::complete)) {
      log.submit(new ClientId(1), 1, new byte[] {1}, answers::add);
      Step resending = log.resending();
      while (!broken.isDone()) {
        resending.runOnce();
        LockSupport.parkNanos(RequestSubmissions.AGAIN_EVERY.toNanos());
      }
      assertThat(broken.join()).hasMessage("on purpose");
      assertThat(answers).isEmpty();
      CompletableFuture<SubmissionResult> late = new CompletableFuture<>();
      log.submit(new ClientId(2), 1, new byte[] {1}, late::complete);
      assertThat(late.join()).isInstanceOf(SubmissionResult.Unknown.class);
    }

    assertThat(answers).singleElement().isInstanceOf(SubmissionResult.Unknown.class);
  }

  @Test
  void an_address_that_is_taken_is_refused_with_its_name() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ReplicaAddress address = new ReplicaAddress("127.0.0.1", taken.getLocalPort());

      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(() -> RatisLog.open(config(address), new Throwing(), _ -> {}))
          .withMessageContaining("cannot listen at " + address);
    }
  }

  private RatisConfig config(ReplicaAddress address) {
    return new RatisConfig(
        "one",
        new ReplicaId(0),
        List.of(address),
        directory.resolve("log"),
        Optional.empty(),
        OrderedExecution.Config.DEFAULT,
        RatisReplicas.LIMITS);
  }

  private static final class Throwing implements StateMachine {
    @Override
    public byte[] execute(OrderedRequest request) {
      throw new IllegalStateException("on purpose");
    }

    @Override
    public byte[] snapshot() {
      return new byte[0];
    }

    @Override
    public void restore(byte[] snapshot) {}

    @Override
    public byte[] digest() {
      return new byte[0];
    }
  }
}
