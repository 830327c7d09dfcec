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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Rounds that nobody can decide for a while, because as many replicas lie as may, and another one
 * is away: once that one is back they go on, whatever the liars have sent. The last replicas lie.
 */
class StalledRoundTest {
  private static final long SECONDS = 1_000_000_000L;
  private static final ReplicaId AWAY = new ReplicaId(1);
  private static final int REQUEST = 4_100;
  private static final int ROUND_BYTES = 104 << 10;

  private final Timeline timeline = new Timeline();
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<SimulatedReplica> replicas = new ArrayList<>();
  private ReplicaGroup cluster = new ReplicaGroup(4, ReplicaGroup.Faults.BYZANTINE);
  private SimulatedNetwork network = new SimulatedNetwork(4, timeline, random.split());
  private List<EventKeys> keys = SimulatedKeys.cheap(4, 1);
  private ReplicaId liar = new ReplicaId(3);
  private int done;
  private long requests;

  private void start(int size) {
    cluster = new ReplicaGroup(size, ReplicaGroup.Faults.BYZANTINE);
    network = new SimulatedNetwork(size, timeline, random.split());
    keys = SimulatedKeys.cheap(size, 1);
    liar = new ReplicaId(size - 1);
    for (ReplicaId id : cluster.replicas()) {
      SimulatedReplica replica =
          new SimulatedReplica(
              config(id),
              timeline,
              keys.get(id.number()),
              random.split(),
              (to, message) -> network.send(id, to, message));
      replicas.add(replica);
      if (id.number() < honest()) {
        network.listen(id, replica::receive);
        open(id);
      }
    }
  }

  private int honest() {
    return cluster.size() - cluster.mayFail();
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
            HashgraphLog.Watcher.NOBODY);
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
      submit(i % honest(), 1, 10);
      run(1);
    }
    assertThat(done)
        .as(() ->
            "executed in 100 s; "
                + IntStream.range(0, honest()).mapToObj(i -> log(i).core()).toList())
        .isGreaterThanOrEqualTo(3);
  }

  /** The next event of the liar's chain, with no other parent, which is longer by it. */
  private Event next(List<Event> chain, long birthRound, int number, EventKeys by) {
    Event last = chain.isEmpty() ? null : chain.getLast();
    List<Event.Parent> parents =
        last == null ? List.of() : List.of(new Event.Parent(liar, last.birthRound(), last.hash()));
    Event made =
        Event.sign(
            new Event.Body(
                liar,
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

  private void reach(long round) {
    for (int i = 0; i < 400 && log(0).core().round() < round; i++) {
      submit(i % honest(), 1, 10);
      run(0.5);
    }
    assertThat(log(0).core().round()).isGreaterThanOrEqualTo(round);
  }

  private void send(ReplicaId to, Event event) {
    send(liar, to, event);
  }

  private void send(ReplicaId from, ReplicaId to, Event event) {
    network.send(from, to, new PeerMessage.Events(List.of(event.bytes())).encode());
    run(0.01);
  }

  @Test
  void one_who_sends_events_that_build_on_nobody_fills_no_round_while_another_is_away() {
    start(4);
    replicas.get(AWAY.number()).crash();
    submit(0, 1, 10);
    run(2);
    List<Event> chain = new ArrayList<>();
    for (int i = 0; i < 90; i++) {
      Event event = next(chain, 1, i, keys.get(liar.number()));
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
    start(4);
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
    start(4);
    reach(6);
    long round = log(0).core().round();
    network.put(AWAY, 1);
    run(1);

    EventKeys key = keys.get(liar.number());
    List<Event> shown = new ArrayList<>();
    List<Event> hidden = new ArrayList<>();
    int number = 0;
    for (long born = round - 4; born < round; born++) {
      for (int i = 0; i < 80; i++) {
        Event event = next(shown, born, ++number, key);
        send(new ReplicaId(0), event);
        send(new ReplicaId(2), event);
      }
    }
    run(2);
    submit(0, 1, 10);
    submit(2, 1, 10);
    run(2);

    network.put(liar, 1);
    send(AWAY, next(hidden, round - 4, 1, key));
    send(AWAY, next(new ArrayList<>(), round - 4, 2, key));
    for (int i = 0; i < 40; i++) {
      send(AWAY, next(new ArrayList<>(), 1L << 60, 10 + i, key));
    }
    run(0.1);
    assertThat(log(1).core().forkers()).containsExactly(liar);
    network.heal();
    mustGoOn();
  }

  @Test
  void a_second_chain_that_an_accomplice_has_made_one_replica_accept_is_taken_by_all() {
    start(7);
    ReplicaId accomplice = new ReplicaId(5);
    ReplicaId misled = new ReplicaId(0);
    EventKeys key = keys.get(liar.number());
    network.put(misled, 1);
    for (int other = 1; other < honest(); other++) {
      send(new ReplicaId(other), next(new ArrayList<>(), 1, 1, key));
      send(new ReplicaId(other), next(new ArrayList<>(), 1, 2, key));
      assertThat(log(other).core().forkers()).containsExactly(liar);
    }

    network.put(liar, 1);
    network.put(accomplice, 1);
    List<Event> first = new ArrayList<>();
    List<Event> second = new ArrayList<>();
    for (int i = 0; i < 84; i++) {
      send(misled, next(first, 1, 10 + i, key));
    }
    for (int i = 0; i < 84; i++) {
      send(accomplice, misled, next(second, 1, 1_000 + i, key));
    }
    Event last = second.getLast();
    Event.Body body =
        new Event.Body(
            accomplice,
            1,
            SimulatedReplica.START.plus(Duration.ofMillis(1)),
            1,
            List.of(new Event.Parent(liar, 1, last.hash())),
            List.of());
    send(accomplice, misled, Event.sign(body, "stalled", keys.get(accomplice.number())));
    submit(0, 1, 10);
    run(1);
    assertThat(log(0).core().forkers()).containsExactly(liar);
    assertThat(log(0).core().events()).isGreaterThan(first.size() + second.size() + 1);

    network.heal();
    mustGoOn();
  }

  @Test
  void one_who_says_falsely_that_its_last_event_is_ancient_has_forked_and_stops_nobody() {
    start(4);
    reach(HashgraphEngine.ROUNDS_NON_ANCIENT + 5);
    long round = log(0).core().round();
    EventKeys key = keys.get(liar.number());
    Event first = next(new ArrayList<>(), round, 1, key);
    Event second =
        Event.sign(
            new Event.Body(
                liar,
                round - 1,
                SimulatedReplica.START.plusSeconds(1),
                1,
                List.of(new Event.Parent(liar, 1, first.hash())),
                List.of()),
            "stalled",
            key);
    for (Event event : List.of(first, second)) {
      for (int to = 0; to < honest(); to++) {
        send(new ReplicaId(to), event);
        submit(to, 1, 10);
      }
      run(0.1);
    }
    mustGoOn();
    for (int each = 0; each < honest(); each++) {
      assertThat(log(each).core().forkers()).containsExactly(liar);
    }
  }
}
