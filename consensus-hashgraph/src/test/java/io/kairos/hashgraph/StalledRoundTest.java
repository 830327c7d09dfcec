package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.SubmissionResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Rounds that nobody can decide for a while, because one replica lies and another one is away: once
 * that one is back they go on, whatever the liar has sent. The last of four replicas lies.
 */
class StalledRoundTest {
  private static final long SECONDS = 1_000_000_000L;
  private static final ReplicaId AWAY = new ReplicaId(1);
  private static final ReplicaId LIAR = new ReplicaId(3);
  private static final int REQUEST = 4_100;
  private static final int ROUND_BYTES = 104 << 10;

  private final ReplicaGroup cluster = new ReplicaGroup(4, ReplicaGroup.Faults.BYZANTINE);
  private final Timeline timeline = new Timeline();
  private final SplittableRandom random = new SplittableRandom(1);
  private final SimulatedNetwork network = new SimulatedNetwork(4, timeline, random.split());
  private final List<EventKeys> keys = SimulatedKeys.cheap(4, 1);
  private final List<SimulatedReplica> replicas = new ArrayList<>();
  private int done;
  private long requests;

  @BeforeEach
  void start() {
    for (ReplicaId id : cluster.replicas()) {
      SimulatedReplica replica =
          new SimulatedReplica(
              config(id),
              timeline,
              keys.get(id.number()),
              random.split(),
              (to, message) -> network.send(id, to, message));
      replicas.add(replica);
      if (!id.equals(LIAR)) {
        network.listen(id, replica::receive);
        open(id);
      }
    }
  }

  private HashgraphConfig config(ReplicaId id) {
    HashgraphConfig.Bounds bounds = SimulatedReplica.BOUNDS;
    return new HashgraphConfig(
        id,
        cluster,
        "stalled",
        SimulatedReplica.PACE,
        new HashgraphConfig.Bounds(
            bounds.eventBytes(),
            ROUND_BYTES,
            bounds.waitingBytes(),
            1 << 20,
            bounds.syncBytes(),
            bounds.pieceBytes(),
            bounds.snapshotEvery()));
  }

  private void open(ReplicaId id) {
    replicas
        .get(id.number())
        .open(
            new SimulatedMachine(false),
            OrderedExecution.Config.DEFAULT,
            HashgraphLog.Watcher.NOBODY,
            true);
  }

  private HashgraphLog log(int id) {
    return Objects.requireNonNull(replicas.get(id).log());
  }

  private void submit(int at, int count, int bytes) {
    for (int i = 0; i < count; i++) {
      log(at)
          .submit(
              new ClientId(++requests),
              1,
              new byte[bytes],
              answer -> done += answer instanceof SubmissionResult.Done ? 1 : 0);
    }
  }

  private void run(double seconds) {
    timeline.runUntil(timeline.nowNanos() + (long) (seconds * SECONDS));
  }

  private void mustGoOn() {
    done = 0;
    for (int i = 0; i < 100 && done < 3; i++) {
      submit(i % 3, 1, 10);
      run(1);
    }
    assertThat(done)
        .as(() ->
            "executed in 100 s; %s, %s, %s".formatted(log(0).core(), log(1).core(), log(2).core()))
        .isGreaterThanOrEqualTo(3);
  }

  /** The next event of the liar's chain, with no other parent, which is longer by it. */
  private static Event next(List<Event> chain, long birthRound, int number, EventKeys by) {
    Event last = chain.isEmpty() ? null : chain.getLast();
    List<Event.Parent> parents =
        last == null ? List.of() : List.of(new Event.Parent(LIAR, last.birthRound(), last.hash()));
    Event made =
        Event.sign(
            new Event.Body(
                LIAR,
                birthRound,
                SimulatedReplica.START.plus(Duration.ofMillis(number)),
                number,
                parents,
                List.of()),
            "stalled",
            by);
    chain.add(made);
    return made;
  }

  private void send(ReplicaId to, Event event) {
    network.send(LIAR, to, new PeerMessage.Events(List.of(event.bytes())).encode());
  }

  @Test
  void one_who_sends_events_that_build_on_nobody_fills_no_round_while_another_is_away() {
    replicas.get(AWAY.number()).crash();
    submit(0, 1, 10);
    run(2);
    List<Event> chain = new ArrayList<>();
    for (int i = 0; i < 90; i++) {
      Event event = next(chain, 1, i, keys.get(LIAR.number()));
      for (int to : new int[] {0, 2}) {
        send(new ReplicaId(to), event);
      }
      submit(0, 1, 10);
      submit(2, 1, 10);
      run(0.05);
    }
    run(20);
    assertThat(log(0).core().round()).isEqualTo(1);

    open(AWAY);
    done = 0;
    submit(1, 1, 10);
    run(5); // a small part of the time that it was away
    assertThat(done).isEqualTo(1);
    mustGoOn();
  }

  @Test
  void requests_that_wait_on_both_sides_of_a_cut_fill_no_round() {
    network.put(new ReplicaId(0), 1);
    network.put(AWAY, 2);
    for (int each = 0; each < 3; each++) {
      submit(each, 60, REQUEST);
    }
    run(4);
    assertThat(done).isZero();

    network.heal();
    run(30);
    assertThat(done).isGreaterThan(150);
    mustGoOn();
  }

  @Test
  void what_one_who_forked_has_shown_to_the_others_in_many_rounds_is_taken_by_all() {
    for (int i = 0; i < 40 && log(0).core().round() < 6; i++) {
      submit(i % 3, 1, 10);
      run(0.5);
    }
    long round = log(0).core().round();
    assertThat(round).isGreaterThanOrEqualTo(6);
    network.put(AWAY, 1);
    run(1);

    EventKeys key = keys.get(LIAR.number());
    List<Event> shown = new ArrayList<>();
    List<Event> hidden = new ArrayList<>();
    int number = 0;
    for (long born = round - 4; born < round; born++) {
      for (int i = 0; i < 80; i++) {
        Event event = next(shown, born, ++number, key);
        send(new ReplicaId(0), event);
        send(new ReplicaId(2), event);
        run(0.01);
      }
    }
    run(2);
    submit(0, 1, 10);
    submit(2, 1, 10);
    run(2);

    network.put(LIAR, 1);
    send(AWAY, next(hidden, round - 4, 1, key));
    send(AWAY, next(new ArrayList<>(), round - 4, 2, key));
    for (int i = 0; i < 40; i++) {
      send(AWAY, next(new ArrayList<>(), 1L << 60, 10 + i, key));
    }
    run(0.1);
    assertThat(log(1).core().forkers()).containsExactly(LIAR);
    network.heal();
    mustGoOn();
  }
}
