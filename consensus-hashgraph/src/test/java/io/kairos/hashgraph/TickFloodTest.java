package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.LogReply;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.SubmissionResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One of four replicas with cron puts what it likes into its events, under its own key. */
class TickFloodTest {
  private static final ReplicaGroup FOUR = new ReplicaGroup(4, ReplicaGroup.Faults.BYZANTINE);
  private static final ReplicaId LIAR = new ReplicaId(3);
  private static final long FAR_TOO_LONG_NANOS = 60_000_000_000L;

  private final Timeline timeline = new Timeline();
  private final List<HashgraphLog> logs = new ArrayList<>();
  private final List<SubmissionResult> answers = new ArrayList<>();
  private int evaluated;

  @BeforeEach
  void open() {
    SplittableRandom random = new SplittableRandom(1);
    SimulatedNetwork network = new SimulatedNetwork(FOUR.size(), timeline, random.split());
    List<EventKeys> keys = SimulatedKeys.cheap(FOUR.size(), 1);
    for (ReplicaId id : FOUR.replicas()) {
      SimulatedReplica replica =
          new SimulatedReplica(
              new HashgraphConfig(
                  id, FOUR, "flooded", SimulatedReplica.PACE, HashgraphConfig.Bounds.DEFAULT),
              timeline,
              keys.get(id.number()),
              random.split(),
              (to, message) -> network.send(id, to, message));
      network.listen(id, replica::receive);
      SimulatedCron cron =
          new SimulatedCron(FOUR, (_, _, _) -> evaluated += id.number() == 0 ? 1 : 0);
      logs.add(replica.open(cron, OrderedExecution.Config.DEFAULT, HashgraphLog.Watcher.NOBODY));
    }
  }

  private void until(BooleanSupplier so) {
    while (!so.getAsBoolean()) {
      assertThat(timeline.nowNanos()).isLessThan(FAR_TOO_LONG_NANOS);
      timeline.runUntil(timeline.nowNanos() + 1_000_000);
    }
  }

  private static byte[] tick(ComponentId component, long round) {
    return new LogCommand.Tick(component, round, SimulatedReplica.START.toEpochMilli()).encode();
  }

  /** Puts a request into an event of the liar, past everything that checks requests. */
  private void lie(ClientId client, long number, byte[] command) {
    logs.get(LIAR.number())
        .core()
        .submit(RequestEnvelope.encode(client, number, command), () -> {});
  }

  private LogReply submitAndAwait(int replica, ClientId client, long number, byte[] command) {
    int before = answers.size();
    logs.get(replica).submit(client, number, command, answers::add);
    until(() -> answers.size() > before);
    SubmissionResult.Done done = (SubmissionResult.Done) Objects.requireNonNull(answers.getLast());
    return LogReply.of(done.reply());
  }

  private void untilAllAreAt(long sequence) {
    until(() -> logs.stream().allMatch(log -> log.sequence() == sequence));
  }

  @Test
  void cc_l3_ticks_beyond_the_budget_of_a_round_are_skipped_by_all_and_the_others_go_on() {
    int flood = 5_000;
    for (int component = 0; component < flood; component++) {
      ComponentId table = new ComponentId(component);
      lie(ClientId.ofTicks(LIAR, table), 1, tick(table, 1));
    }

    LogReply reply =
        submitAndAwait(0, new ClientId(1), 1, new LogCommand.Request(new byte[1]).encode());

    assertThat(reply).isEqualTo(LogReply.EXECUTED);
    until(() -> logs.stream().noneMatch(log -> log.core().hasWork()));
    long executed = logs.getFirst().sequence();
    assertThat(executed)
        .isGreaterThan(HashgraphConfig.Bounds.DEFAULT.roundTicks())
        .isLessThan(flood);
    untilAllAreAt(executed);
    assertThat(evaluated).isZero();
    ComponentId table = new ComponentId(9_000);
    lie(ClientId.ofTicks(LIAR, table), 1, tick(table, 1));
    submitAndAwait(0, new ClientId(1), 2, new LogCommand.Request(new byte[1]).encode());
    untilAllAreAt(executed + 2);
  }

  @Test
  void cc_l3_a_flood_for_one_table_evaluates_nothing() {
    for (int number = 1; number <= 1_000; number++) {
      lie(
          ClientId.ofTicks(LIAR, SimulatedCron.TABLE),
          number,
          tick(SimulatedCron.TABLE, number % 3));
    }
    untilAllAreAt(1_000);

    assertThat(evaluated).isZero();
  }

  @Test
  void cc_l3_forged_and_replayed_ticks_change_nothing() {
    ReplicaId victim = new ReplicaId(1);
    ClientId ofVictim = ClientId.ofTicks(victim, SimulatedCron.TABLE);
    ClientId ofLiar = ClientId.ofTicks(LIAR, SimulatedCron.TABLE);
    byte[] tick = tick(SimulatedCron.TABLE, 1);
    lie(ofVictim, 1_000_000, tick);
    for (int i = 0; i < 100; i++) {
      lie(ofLiar, 1, tick);
    }
    untilAllAreAt(1);

    LogReply ofTheVictim = submitAndAwait(victim.number(), ofVictim, 1, tick);

    // The liar's one tick asks for the round, the victim's begins it.
    untilAllAreAt(2);
    assertThat(ofTheVictim).isEqualTo(LogReply.EVALUATED);
    assertThat(evaluated).isEqualTo(1);
    for (int i = 0; i < 100; i++) {
      lie(ofVictim, 1, tick);
      lie(ofLiar, 1, tick);
    }
    submitAndAwait(0, new ClientId(1), 1, new LogCommand.Request(new byte[1]).encode());
    untilAllAreAt(3);
    assertThat(evaluated).isEqualTo(1);
  }
}
