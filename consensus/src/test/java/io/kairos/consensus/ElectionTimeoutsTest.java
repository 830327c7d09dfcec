package io.kairos.consensus;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.RecordingMachine;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.OrderedExecution;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.ratis.server.DivisionProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ElectionTimeoutsTest {
  @TempDir private Path directory;

  private RatisConfig config(RatisConfig.Limits limits) {
    return new RatisConfig(
        "elections",
        new ReplicaId(0),
        RatisReplicas.freeAddresses(1),
        directory.resolve("replica"),
        Optional.empty(),
        OrderedExecution.Config.DEFAULT,
        limits);
  }

  @Test
  void ratis_elects_and_leads_by_the_settings() {
    RatisConfig.Limits limits =
        new RatisConfig.Limits(
            Duration.ofMillis(310),
            Duration.ofMillis(2_300),
            RatisReplicas.LIMITS.snapshotEvery(),
            RatisReplicas.LIMITS.answerWithin(),
            RatisReplicas.LIMITS.maxPending(),
            RatisReplicas.LIMITS.maxPendingOfClient(),
            RatisReplicas.LIMITS.ticksPerSecond());

    try (RatisLog log = RatisLog.open(config(limits), new RecordingMachine(), _ -> {})) {
      DivisionProperties used = log.division().orElseThrow().properties();

      assertThat(used.minRpcTimeoutMs()).isEqualTo(310);
      assertThat(used.maxRpcTimeoutMs()).isEqualTo(2_300);
    }
  }

  /** A leader was seen to fall because a majority that had just started was silent for 0.7 s. */
  @Test
  void by_default_a_leader_outlasts_the_silence_of_processes_that_start() {
    var properties = RatisProperties.of(config(RatisConfig.Limits.DEFAULT));

    assertThat(RaftServerConfigKeys.Rpc.timeoutMax(properties).toLong(MILLISECONDS))
        .isGreaterThanOrEqualTo(1_000);
    assertThat(RaftServerConfigKeys.LeaderElection.leaderStepDownWaitTime(properties))
        .isEqualTo(RaftServerConfigKeys.Rpc.timeoutMax(properties));
  }
}
