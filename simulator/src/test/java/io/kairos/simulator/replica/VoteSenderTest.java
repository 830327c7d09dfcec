package io.kairos.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.RecordingMachine;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.PostedStep;
import io.kairos.engine.replica.VoteSender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The votes of a single simulated replica. */
class VoteSenderTest {
  private static final ReplicaId SELF = new ReplicaId(0);

  private final ReplicaCluster sim =
      new ReplicaCluster(
          new ReplicaGroup(1, Faults.CRASH),
          new SplittableRandom(1),
          new OrderedExecution.Config(100, 10),
          ReplicaWiring.PRODUCTION);
  private final RecordingMachine machine = new RecordingMachine();
  private final ReplicaLog log = sim.open(SELF, machine);
  private final VoteSender votes = new VoteSender(log);

  private void pass() {
    sim.timeline.runUntil(sim.timeline.nowNanos() + 3_000_000_000L);
  }

  private void submit(int first, int count) {
    for (int request = first; request < first + count; request++) {
      log.submit(new ClientId(request), 1, new byte[] {'r'}, _ -> {});
    }
    pass();
  }

  @Test
  void one_vote_is_on_all_checkpoints_since_the_last_and_reaches_no_machine() {
    votes.look();
    submit(1, 10);
    votes.look();
    votes.look();
    pass();
    votes.look();
    pass();

    assertThat(machine.executed()).hasSize(10);
    assertThat(log.sequence()).isEqualTo(11);
    assertThat(log.agreed()).isEqualTo(10);
    assertThat(log.lastRequest(ClientId.ofVotes(SELF))).isEqualTo(10);
  }

  @Test
  void replicas_that_look_at_different_moments_agree_however_much_they_execute_meanwhile() {
    ReplicaCluster three =
        new ReplicaCluster(
            new ReplicaGroup(3, Faults.CRASH),
            new SplittableRandom(2),
            new OrderedExecution.Config(1_000, 10),
            ReplicaWiring.PRODUCTION);
    List<ReplicaLog> logs = new ArrayList<>();
    List<VoteSender> senders = new ArrayList<>();
    for (ReplicaId replica : three.cluster.replicas()) {
      ReplicaLog each = three.open(replica, new RecordingMachine());
      logs.add(each);
      senders.add(new VoteSender(each));
    }
    for (int round = 0; round < 30; round++) {
      for (int request = 0; request < 25; request++) {
        logs.getFirst().submit(new ClientId(25 * round + request), 1, new byte[] {'r'}, _ -> {});
      }
      three.timeline.runUntil(three.timeline.nowNanos() + 3_000_000_000L);
      senders.get(round % 3).look();
    }
    three.timeline.runUntil(three.timeline.nowNanos() + 3_000_000_000L);

    assertThat(logs).allSatisfy(each -> assertThat(each.agreed()).isGreaterThan(650));
  }

  @Test
  void what_was_dropped_is_voted_on_again_or_what_comes_after_it() {
    submit(1, 10);
    sim.network.droppedPerMille = 1_000;
    votes.look();
    pass();
    assertThat(log.sequence()).isEqualTo(10);

    sim.network.droppedPerMille = 0;
    votes.look();
    pass();
    assertThat(log.agreed()).isEqualTo(10);

    submit(11, 30);
    votes.look();
    pass();
    assertThat(log.agreed()).isEqualTo(40);
  }

  @Test
  void a_step_on_the_logs_thread_is_asked_for_again_only_when_it_was_done() {
    List<String> done = new ArrayList<>();
    Step step = new PostedStep("name", log, Duration.ofMillis(7), () -> done.add("done"));

    assertThat(step.runOnce().after()).isEqualTo(Duration.ofMillis(7));
    step.runOnce();
    assertThat(done).isEmpty();
    pass();
    assertThat(done).hasSize(1);
    step.runOnce();
    pass();
    assertThat(done).hasSize(2);
  }
}
