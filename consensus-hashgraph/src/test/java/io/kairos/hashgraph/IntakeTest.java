package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a replica does with events and bytes that it should not be sent; with keys of Ed25519. */
class IntakeTest {
  private static final String CLUSTER = "cluster";
  private static final ReplicaId SELF = new ReplicaId(0);
  private static final ReplicaId PEER = new ReplicaId(1);
  private static final Instant NOW = SimulatedReplica.START;
  private static final long MILLIS = 1_000_000;

  private final List<EventKeys> keys = SimulatedKeys.ed25519(4, 1);
  private final HashgraphConfig config =
      new HashgraphConfig(
          SELF,
          new ReplicaGroup(4, ReplicaGroup.Faults.BYZANTINE),
          CLUSTER,
          SimulatedReplica.PACE,
          SimulatedReplica.BOUNDS);
  private final SimulatedJournal journal = new SimulatedJournal(new SplittableRandom(1));
  private final List<byte[]> sent = new ArrayList<>();

  /** Those who were asked for events. */
  private final Set<ReplicaId> asked = new HashSet<>();

  private HashgraphCore core = open();

  private void send(ReplicaId to, byte[] message) {
    sent.add(message);
    if (PeerMessage.decode(message, config.bounds()).orElseThrow() instanceof PeerMessage.Sync) {
      asked.add(to);
    }
  }

  private HashgraphCore open() {
    return HashgraphCore.open(
        config,
        new HashgraphCore.Ports(
            keys.getFirst(),
            journal,
            this::send,
            new HashgraphCore.Application() {
              @Override
              public boolean execute(ReplicaId creator, byte[] request, Instant agreed) {
                return true;
              }

              @Override
              public void executed(long round, int events) {}

              @Override
              public byte[] snapshot() {
                return new byte[0];
              }

              @Override
              public void restore(byte[] snapshot) {}
            },
            () -> NOW,
            () -> 0,
            new SplittableRandom(2)));
  }

  private Event event(int creator, long birthRound, Instant created, Event.Parent... parents) {
    return signed(keys.get(creator), creator, CLUSTER, birthRound, created, parents);
  }

  private static Event signed(
      EventKeys by,
      int creator,
      String cluster,
      long birthRound,
      Instant created,
      Event.Parent... parents) {
    return Event.sign(
        new Event.Body(
            new ReplicaId(creator), birthRound, created, 7, List.of(parents), List.of(new byte[9])),
        cluster,
        by);
  }

  private static Event.Parent parent(Event event) {
    return new Event.Parent(event.creator(), event.birthRound(), event.hash());
  }

  private void receive(Event... events) {
    receive(PEER.number(), events);
  }

  private void receive(int from, Event... events) {
    List<byte[]> bytes = Stream.of(events).map(Event::bytes).toList();
    core.receive(new ReplicaId(from), new PeerMessage.Events(bytes).encode(), 1);
  }

  private void receiveAndCount(Occurrence occurrence, Event... events) {
    int before = core.events();
    receive(events);
    assertThat(core.count(occurrence)).isEqualTo(1);
    assertThat(core.events()).isEqualTo(before);
  }

  @Test
  void a_valid_event_is_accepted_once() {
    Event event = event(1, 1, NOW);
    receive(event, event);

    assertThat(core.events()).isEqualTo(1);
    assertThat(core.count(Occurrence.DUPLICATE)).isEqualTo(1);
    assertThat(journal.read().events()).hasSize(1);
  }

  @Test
  void an_event_counts_only_with_the_signature_of_its_creator() {
    receiveAndCount(Occurrence.BAD_SIGNATURE, signed(keys.get(2), 1, CLUSTER, 1, NOW));
  }

  @Test
  void an_event_of_another_cluster_is_none_of_this() {
    receiveAndCount(Occurrence.BAD_SIGNATURE, signed(keys.get(1), 1, "another", 1, NOW));
  }

  @Test
  void an_event_is_dated_so_that_the_engine_can_calculate_with_it() {
    receiveAndCount(Occurrence.MALFORMED, event(1, 1, Instant.parse("3000-01-01T00:00:00Z")));
  }

  @Test
  void an_event_is_later_than_the_one_before_of_its_creator() {
    Event first = event(1, 1, NOW);
    receive(first);
    receiveAndCount(Occurrence.PARENT_MISMATCH, event(1, 1, NOW, parent(first)));
  }

  @Test
  void an_event_says_the_truth_of_its_parents() {
    Event first = event(2, 1, NOW);
    receive(first);
    Event.Parent wrong = new Event.Parent(new ReplicaId(3), 1, first.hash());
    receiveAndCount(Occurrence.PARENT_MISMATCH, event(1, 1, NOW, wrong));
  }

  @Test
  void an_event_of_a_later_round_or_without_its_parents_waits() {
    Event first = event(1, 1, NOW);
    Event second = event(1, 1, NOW.plusNanos(1), parent(first));
    receive(second, event(2, 9, NOW));
    assertThat(core.events()).isZero();
    assertThat(core.count(Occurrence.ORPHANED)).isEqualTo(2);

    receive(first);
    assertThat(core.events()).isEqualTo(2);
  }

  @Test
  void an_event_that_waits_is_not_exchanged_for_one_with_another_signature() {
    Event second = event(1, 1, NOW.plusSeconds(2));
    Event third = event(1, 1, NOW.plusSeconds(3), parent(second));
    receive(third, event(1, 1, NOW), event(1, 1, NOW.plusSeconds(1)));
    assertThat(core.events()).isEqualTo(2);

    byte[] unsigned = third.bytes().clone();
    Arrays.fill(unsigned, unsigned.length - EventKeys.SIGNATURE_BYTES, unsigned.length, (byte) 7);
    core.receive(new ReplicaId(2), new PeerMessage.Events(List.of(unsigned)).encode(), 2);
    receive(2, second);
    assertThat(core.events()).isEqualTo(4);
    receive(2, event(2, 1, NOW, parent(third)));
    assertThat(journal.read().events().get(3)).isEqualTo(third.bytes());
  }

  @Test
  void an_event_far_ahead_is_not_even_verified() {
    receive(signed(keys.get(2), 1, CLUSTER, 1_000, NOW));
    assertThat(core.count(Occurrence.FUTURE)).isEqualTo(1);
    assertThat(core.count(Occurrence.BAD_SIGNATURE)).isZero();
  }

  @Test
  void those_who_have_forgotten_what_is_lacked_are_asked_for_snapshots_and_not_for_events() {
    core.submit(new byte[3], () -> {});
    for (int peer = 1; peer <= 2; peer++) {
      byte[] ahead = new PeerMessage.Sync(200, 100, 170, List.of()).encode();
      core.receive(new ReplicaId(peer), ahead, peer * MILLIS);
    }
    assertThat(sent).contains(new PeerMessage.AskOffers().encode());
    for (int i = 1; i < 50; i++) {
      core.look(i * 100 * MILLIS);
    }
    assertThat(asked).containsExactly(new ReplicaId(3));
  }

  @Test
  void one_creator_has_bounded_room_to_wait_and_takes_none_of_others() {
    for (int i = 0; i < 60; i++) {
      receive(event(1, 9, NOW.plusNanos(i)));
    }
    assertThat(core.count(Occurrence.ORPHANS_FULL)).isPositive();

    receive(event(2, 9, NOW));
    assertThat(core.count(Occurrence.ORPHANED)).isEqualTo(61);
    assertThat(core.count(Occurrence.ORPHANS_FULL)).isEqualTo(60 - 32 * 1_024 / (1_024 + 130));
  }

  @Test
  void the_chain_of_one_creator_in_a_round_is_bounded() {
    Event last = event(1, 1, NOW);
    receive(last);
    for (int i = 1; core.count(Occurrence.OVER_BUDGET) == 0 && i < 1_000; i++) {
      last = event(1, 1, NOW.plusNanos(i), parent(last));
      receive(last);
    }
    assertThat(core.events()).isLessThan(128);
    assertThat(core.count(Occurrence.OVER_BUDGET)).isEqualTo(1);
  }

  @Test
  void a_fork_is_noticed_and_no_parent_of_own_events() {
    Event one = event(1, 1, NOW);
    Event other = event(1, 1, NOW.plusSeconds(1));
    receive(one);
    core.receive(new ReplicaId(2), new PeerMessage.Events(List.of(other.bytes())).encode(), 2);

    assertThat(core.forkers()).containsExactly(PEER);
    assertThat(core.count(Occurrence.FORK)).isEqualTo(1);
    core.submit(new byte[3], () -> {});
    core.look(Duration.ofSeconds(1).toNanos());
    Event own = Event.decode(journal.read().events().getLast(), config).orElseThrow();
    assertThat(own.creator()).isEqualTo(SELF);
    assertThat(own.body().parents()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"012", "021", "102", "120", "201", "210"})
  void events_of_one_who_forked_are_accepted_when_another_passes_them_on(String order) {
    receive(event(1, 1, NOW), event(1, 1, NOW.plusSeconds(1)));
    Event forked = event(1, 1, NOW.plusSeconds(2));
    Event next = event(1, 1, NOW.plusSeconds(3), parent(forked));
    Event another = event(2, 1, NOW, parent(next));
    List<Event> events = List.of(forked, next, another);

    events.forEach(this::receive); // from the forker
    assertThat(core.events()).isEqualTo(2);
    order.chars().forEach(each -> receive(2, events.get(each - '0')));
    assertThat(core.events()).isEqualTo(5);
  }

  @Test
  void one_passes_on_events_of_a_forker_up_to_a_bound_and_more_when_others_build_on_them() {
    receive(event(1, 1, NOW), event(1, 1, NOW.plusSeconds(1)));
    List<Event> chain = new ArrayList<>();
    long bytes = 0;
    for (int i = 2; bytes < (long) config.cluster().size() * config.bounds().roundBytes(); i++) {
      chain.add(event(1, 1, NOW.plusSeconds(i)));
      bytes += chain.getLast().heldBytes();
    }
    chain.forEach(each -> receive(2, each));
    assertThat(core.events()).isEqualTo(2 + chain.size() - 1);

    receive(3, event(3, 1, NOW, parent(chain.getFirst())));
    receive(2, chain.getLast());
    assertThat(core.events()).isEqualTo(2 + chain.size() + 1);
  }

  @Test
  void what_one_names_of_another_is_on_one_chain() {
    Event one = event(1, 1, NOW);
    Event next = event(1, 1, NOW.plusSeconds(1), parent(one));
    Event other = event(1, 1, NOW.plusSeconds(2));
    Event first = event(2, 1, NOW, parent(one));
    Event second = event(2, 1, NOW.plusNanos(1), parent(first), parent(next));
    receive(one, next, first, second);
    assertThat(core.events()).isEqualTo(4);

    Event third = event(2, 1, NOW.plusNanos(2), parent(second), parent(other));
    receive(other, third);
    assertThat(core.count(Occurrence.PARENT_MISMATCH)).isEqualTo(1);
    assertThat(core.events()).isEqualTo(5);
  }

  /** The next events of some of the others, each of which builds on these. */
  private List<Event> generation(int number, List<Event> last, int... creators) {
    return generation(core.round(), number, last, creators);
  }

  private List<Event> generation(long born, int number, List<Event> last, int... creators) {
    return IntStream.of(creators)
        .mapToObj(by ->
            event(
                by,
                born,
                NOW.plusSeconds(9 + number),
                last.stream()
                    .sorted(Comparator.comparing(each -> each.creator().number() != by))
                    .map(IntakeTest::parent)
                    .toArray(Event.Parent[]::new)))
        .toList();
  }

  private void receiveGenerations(int count) {
    receiveGenerations(count, 0, List.of());
  }

  /** Events of all others, born so many rounds before this replica's; returns the last ones. */
  private List<Event> receiveGenerations(int count, int before, List<Event> first) {
    int number = first.isEmpty() ? 0 : 1_000; // so that they are later than the first ones
    List<Event> last = first;
    for (int i = 0; i < count; i++) {
      last = generation(Math.max(1, core.round() - before), number + i, last, 1, 2, 3);
      last.forEach(event -> receive(event.creator().number(), event));
    }
    return last;
  }

  @Test
  void events_of_a_forker_on_which_nobody_has_built_decide_nothing() {
    receive(event(3, 1, NOW), event(3, 1, NOW.plusSeconds(1)));
    List<Event> last = new ArrayList<>();
    core.submit(new byte[3], () -> {});
    for (int i = 0; i < 30; i++) {
      core.look(i * 100 * MILLIS);
      last.add(Event.decode(journal.read().events().getLast(), config).orElseThrow());
      long round = core.round();
      List<Event> next = new ArrayList<>(generation(i, last, 1, 2));
      next.forEach(event -> receive(event.creator().number(), event));
      generation(100 + i, next, 3).forEach(event -> receive(1, event));
      assertThat(core.round()).isEqualTo(round);
      last = next;
    }
    assertThat(core.round()).isGreaterThan(5);
    assertThat(core.count(Occurrence.FORKED_VOUCHED)).isEqualTo(30);
  }

  @Test
  void a_round_is_decided_when_an_own_event_stands_on_what_decides_it() {
    receiveGenerations(12);
    core.submit(new byte[3], () -> {});
    assertThat(core.round()).isEqualTo(1);
    core.look(MILLIS);
    assertThat(core.round()).isGreaterThan(1);
  }

  @Test
  void a_round_that_one_who_tells_the_truth_has_decided_is_decided_at_once_by_an_own_event() {
    core.submit(new byte[3], () -> {});
    core.look(MILLIS);
    receiveGenerations(12);
    for (int peer = 1; peer <= 2; peer++) {
      assertThat(core.round()).isEqualTo(1);
      core.receive(
          new ReplicaId(peer), new PeerMessage.Sync(2, 1, 1, List.of()).encode(), peer * MILLIS);
      core.look(2 * MILLIS); // too early for the next own event else
    }
    assertThat(core.round()).isGreaterThan(1);
    Event decider = Event.decode(journal.read().events().getLast(), config).orElseThrow();
    assertThat(decider.creator()).isEqualTo(SELF);

    core.look(100 * MILLIS);
    journal.crash();
    HashgraphCore again = open(); // which hears nobody
    assertThat(again.round()).isEqualTo(core.round());
    again.submit(new byte[3], () -> {});
    again.look(MILLIS);
    Event own = Event.decode(journal.read().events().getLast(), config).orElseThrow();
    assertThat(own.birthRound()).isEqualTo(core.round());
  }

  @Test
  void a_quiet_replica_is_not_kept_awake_by_an_event_that_waits_for_ever() {
    Event.Parent none = new Event.Parent(new ReplicaId(3), 20, event(2, 20, NOW).hash());
    receive(withoutRequests(1, 1));
    receive(3, withoutRequests(3, 20, none));
    core.look(MILLIS);
    assertThat(journal.read().events()).hasSize(1);

    receive(2, withoutRequests(2, 1));
    core.receive(PEER, new PeerMessage.Sync(2, 1, 1, List.of()).encode(), MILLIS);
    core.look(2 * MILLIS);
    assertThat(journal.read().events())
        .hasSize(3); // now one is ahead, whose new event may decide the round
  }

  private Event withoutRequests(int creator, long birthRound, Event.Parent... parents) {
    Event.Body body =
        new Event.Body(new ReplicaId(creator), birthRound, NOW, 7, List.of(parents), List.of());
    return Event.sign(body, CLUSTER, keys.get(creator));
  }

  /** Has a replica that lost its memory follow the others, who never show that they are with it. */
  private List<Event> receiveUntilItWasSilent() {
    journal.replace(
        new JournalHead(Optional.empty(), Optional.empty(), 1, List.of()).encode(), List.of());
    core = open();
    return receiveGenerations(120, 1, List.of());
  }

  @Test
  void one_who_was_silent_speaks_in_a_round_to_which_one_who_tells_the_truth_has_come() {
    List<Event> last = receiveUntilItWasSilent();
    long round = core.round();
    assertThat(round).isLessThan(35); // once round 1 was ancient it followed nobody
    assertThat(core.isSilent()).isTrue();
    assertThat(open().round()).isEqualTo(round);

    core.submit(new byte[3], () -> {});
    core.look(MILLIS);
    receive(1, generation(120, last, 1).getFirst());
    core.look(2 * MILLIS);
    assertThat(core.round()).isEqualTo(round);
    receive(2, generation(120, last, 2).getFirst());
    assertThat(core.isSilent()).isFalse();
    assertThat(core.round()).isEqualTo(round);
    core.look(3 * MILLIS);
    assertThat(core.round()).isGreaterThan(round); // decided by an own event
  }

  @Test
  void a_restart_of_one_who_was_silent_decides_no_round_anew() {
    List<Event> last = receiveUntilItWasSilent();
    receiveGenerations(20, 0, last);
    assertThat(core.isSilent()).isFalse();

    assertThat(open().round()).isEqualTo(core.round());
  }

  @Test
  void what_the_journal_kept_waits_whatever_room_its_creator_has() {
    Event before = event(3, 2, NOW); // which round this replica has not reached
    int bytes = 0;
    while (bytes <= SimulatedReplica.BOUNDS.waitingBytes()) {
      journal.append(before.bytes());
      bytes += before.size();
      before = event(3, 2, before.body().created().plusNanos(1), parent(before));
    }
    assertThat(open().count(Occurrence.ORPHANS_FULL)).isZero();
  }

  @Test
  void a_restart_decides_no_round_that_no_own_event_had_decided() {
    Event own = event(0, 1, NOW);
    receiveGenerations(12);
    assertThat(core.round()).isEqualTo(1);
    List<byte[]> events = new ArrayList<>(journal.read().events());
    events.add(own.bytes());
    JournalHead head = new JournalHead(Optional.empty(), Optional.of(own.bytes()), 0, List.of());
    journal.replace(head.encode(), events);

    assertThat(open().round()).isEqualTo(1);
  }

  @Test
  void one_who_forked_is_known_by_the_head_of_the_journal_and_what_others_pass_on_of_it_accepted() {
    receive(event(1, 1, NOW), event(1, 1, NOW.plusSeconds(1)));
    assertThat(core.forkers()).containsExactly(PEER);
    journal.replace(
        new JournalHead(Optional.empty(), Optional.empty(), 0, core.forkers()).encode(), List.of());

    HashgraphCore again = open();
    assertThat(again.forkers()).containsExactly(PEER);
    Event third = event(1, 1, NOW.plusSeconds(2));
    again.receive(PEER, new PeerMessage.Events(List.of(third.bytes())).encode(), 1);
    assertThat(again.events()).isZero();

    again.receive(new ReplicaId(2), new PeerMessage.Events(List.of(third.bytes())).encode(), 2);
    assertThat(again.events()).isEqualTo(1);
  }

  @Test
  void a_fork_that_was_found_is_known_after_a_loss_of_power() {
    receive(event(1, 1, NOW), event(1, 1, NOW.plusSeconds(1)));
    journal.crash();

    assertThat(open().forkers()).containsExactly(PEER);
  }

  @Test
  void a_head_with_forkers_outside_the_cluster_is_refused() {
    List<ReplicaId> forkers = List.of(new ReplicaId(4));
    journal.replace(
        new JournalHead(Optional.empty(), Optional.empty(), 0, forkers).encode(), List.of());
    assertThatThrownBy(this::open).hasMessageContaining("a head or an event that is none");
  }

  @Test
  void an_own_event_that_waits_after_a_restart_is_followed_by_none_but_its_child() {
    Event lost = event(2, 1, NOW);
    Event own = event(0, 1, NOW, parent(lost));
    journal.append(own.bytes());
    HashgraphCore again = open();
    again.submit(new byte[3], () -> {});
    again.look(MILLIS);
    assertThat(journal.read().events()).hasSize(1);

    again.receive(PEER, new PeerMessage.Events(List.of(lost.bytes())).encode(), 2);
    again.look(Duration.ofSeconds(1).toNanos());
    Event next = Event.decode(journal.read().events().getLast(), config).orElseThrow();
    assertThat(next.selfParent()).contains(parent(own));
  }

  @Test
  void a_restart_goes_on_after_the_last_own_event() {
    core.submit(new byte[3], () -> {});
    core.look(MILLIS);
    Event first = Event.decode(journal.read().events().getLast(), config).orElseThrow();
    journal.crash();

    HashgraphCore again = open();
    again.submit(new byte[4], () -> {});
    again.look(MILLIS);

    Event second = Event.decode(journal.read().events().getLast(), config).orElseThrow();
    assertThat(second.selfParent()).contains(parent(first));
  }

  @Test
  void a_head_that_cannot_be_read_is_not_taken_for_none() {
    Optional<byte[]> last = Optional.of(new byte[200]);
    journal.replace(new JournalHead(Optional.empty(), last, 0, List.of()).encode(), List.of());
    assertThatThrownBy(this::open).hasMessageContaining("a head or an event that is none");

    journal.replace(new byte[3], List.of());
    assertThatThrownBy(this::open).hasMessageContaining("a head or an event that is none");
  }

  @Test
  void requests_beyond_the_bound_are_given_back() {
    List<String> failed = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      core.submit(new byte[config.bounds().requestBytes()], () -> failed.add("failed"));
    }
    assertThat(failed).hasSize(20 - (64 << 10) / config.bounds().requestBytes());
    core.submit(new byte[config.bounds().requestBytes() + 1], () -> failed.add("too large"));
    assertThat(failed).contains("too large");
  }

  @Test
  void a_snapshot_that_was_not_asked_for_is_not_looked_at() {
    byte[] snapshot = new LogSnapshot(9, 1, NOW, new byte[2], new byte[2]).encode();
    String digest = PeerMessage.Offer.digest(snapshot);
    PeerMessage.Offer offer = new PeerMessage.Offer(9, snapshot.length, digest);
    for (int peer = 1; peer < 4; peer++) {
      core.receive(new ReplicaId(peer), new PeerMessage.Offers(List.of(offer)).encode(), 1);
      core.receive(new ReplicaId(peer), new PeerMessage.Piece(digest, 0, snapshot).encode(), 1);
    }
    assertThat(core.round()).isEqualTo(1);
    assertThat(core.count(Occurrence.TOO_SOON)).isEqualTo(6);
  }
}
