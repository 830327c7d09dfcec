package io.kairos.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.replica.Cluster;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.Submitted;
import io.kairos.testkit.replica.RecordingMachine;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RatisMachineTest {
  @Test
  void a_log_that_cannot_be_written_stops_its_replica() {
    CompletableFuture<Throwable> broken = new CompletableFuture<>();
    OrderThread thread = new OrderThread("test", broken::complete);
    RatisMachine machine =
        new RatisMachine(
            thread,
            new OrderedExecution(
                new RecordingMachine(),
                OrderedExecution.Config.DEFAULT,
                new Cluster(1, Cluster.Faults.CRASH)),
            new RatisMachine.Onlooker() {
              @Override
              public void executed(Envelope request, Submitted result) {}

              @Override
              public void restored() {}
            });

    machine.notifyLogFailed(new IOException("no space left"), null);

    assertThat(broken.join()).hasRootCauseMessage("no space left");
    CompletableFuture<String> late = new CompletableFuture<>();
    thread.post(() -> late.complete("ran"), () -> late.complete("did not run"));
    assertThat(late.join()).isEqualTo("did not run");
    assertThat(thread.handOver(() -> "ran")).failsWithin(Duration.ofSeconds(30));
    thread.close(() -> {});
  }
}
