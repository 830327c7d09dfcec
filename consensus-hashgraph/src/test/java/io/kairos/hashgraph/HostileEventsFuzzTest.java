package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.fuzzing.ParserFuzz;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What a replica does with any messages, and with any events that bear a liar's true signature. An
 * input of the latter is a script: it brings events of a history in which nobody lied, and between
 * them events that the liar makes of what is known. Nobody has built on these, so that the order
 * must stay that of the history.
 */
class HostileEventsFuzzTest {
  private static final byte[] CHECKPOINT =
      new LogSnapshot(9, 1, SimulatedReplica.START, new byte[2], new byte[2]).encode();

  private static final String DIGEST = PeerMessage.Offer.digest(CHECKPOINT);
  private static final int SIZE = 4;
  private static final ReplicaId SELF = new ReplicaId(0);
  private static final ReplicaId LIAR = new ReplicaId(3);
  private static final long MILLIS = 1_000_000;
  private static final int MOST_STEPS = 400;

  /** Of the history that each input goes through. */
  private static final int STEPS = Boolean.getBoolean("kairos.long") ? 40 : 16;

  private final List<EventKeys> keys = SimulatedKeys.cheap(SIZE, 1);
  private final Replica any = new Replica(SELF);
  private final List<byte[]> history = new ArrayList<>();
  private final List<String> order;

  HostileEventsFuzzTest() {
    history();
    Replica told = new Replica(SELF);
    history.forEach(event -> told.receive(1, event));
    order = told.executed;
    assertThat(order).hasSizeGreaterThan(history.size());
  }

  /** A core whose messages are kept, and which executes into a list. */
  private final class Replica implements HashgraphCore.Application {
    final ReplicaId id;
    final List<String> executed = new ArrayList<>();
    final HashgraphCore core;
    final SimulatedJournal journal = new SimulatedJournal(new SplittableRandom(1));
    private long nanos;

    Replica(ReplicaId id) {
      this.id = id;
      this.core =
          HashgraphCore.open(
              config(id),
              new HashgraphCore.Ports(
                  keys.get(id.number()),
                  journal,
                  (_, _) -> {},
                  this,
                  () -> SimulatedReplica.START.plusNanos(nanos),
                  () -> nanos,
                  new SplittableRandom(id.number())));
    }

    void receive(int from, byte[] event) {
      message(from, new PeerMessage.Events(List.of(event)).encode());
    }

    void message(int from, byte[] bytes) {
      nanos += MILLIS;
      core.receive(new ReplicaId(from), bytes, nanos);
    }

    void look() {
      nanos += 25 * MILLIS;
      core.submit(new byte[1], () -> {});
      core.look(nanos);
    }

    @Override
    public boolean execute(ReplicaId creator, byte[] request, Instant agreed) {
      executed.add(creator + " " + Arrays.toString(request) + " " + agreed);
      return true;
    }

    @Override
    public void executed(long round, int events) {
      executed.add("round " + round + " with " + events);
    }

    @Override
    public byte[] snapshot() {
      return new byte[0];
    }

    @Override
    public void restore(byte[] snapshot) {}
  }

  /** The later liar stops before the others do, so that they build on all that it has made. */
  private void history() {
    List<Replica> replicas =
        Stream.of(0, 1, 2, 3).map(each -> new Replica(new ReplicaId(each))).toList();
    for (int step = 0; step < STEPS; step++) {
      for (Replica each : step < STEPS * 5 / 8 ? replicas : replicas.subList(0, LIAR.number())) {
        make(each, replicas);
      }
    }
    make(replicas.getFirst(), replicas); // who decides by what its own events stand on
  }

  private void make(Replica maker, List<Replica> replicas) {
    maker.look();
    byte[] last = maker.journal.read().events().getLast();
    history.add(last);
    replicas.stream()
        .filter(other -> other != maker)
        .forEach(other -> other.receive(maker.id.number(), last));
  }

  @TestFactory
  Stream<DynamicTest> every_input_is_taken_or_refused() {
    return Stream.of(
        ParserFuzz.bytes("any-message", this::anyMessage)
            .seeds(
                List.of(
                    new PeerMessage.Events(history.subList(0, 2)).encode(),
                    new PeerMessage.Events(true, history.subList(1, 2)).encode(),
                    new PeerMessage.Sync(3, 1, 1, List.of(decoded(history.getFirst()).hash()))
                        .encode(),
                    new PeerMessage.AskOffers().encode(),
                    new PeerMessage.Offers(
                            List.of(
                                new PeerMessage.Offer(9, CHECKPOINT.length, DIGEST),
                                new PeerMessage.Offer(5, 1, DIGEST)))
                        .encode(),
                    new PeerMessage.AskPiece(DIGEST, 0).encode(),
                    new PeerMessage.Piece(DIGEST, 0, CHECKPOINT).encode()))
            .allocating(4)
            .test(),
        ParserFuzz.bytes("hostile-events", this::script)
            .seeds(
                List.of(
                    new byte[] {0, 40, 1, 0, 1, 0, 9, 0, 3, 5, 0, 60, 1, 0, 2, 1, 1, 0, 2, 0},
                    new byte[] {0, 90, 2, 16, 1, 7, 8, 0, 5, 3, 0, 9, 1, 16, 2, 7, 7, 0, 5, 0, 3},
                    new byte[] {1, 0, 0, 0, 1, 1, 0, 0, 0, 2, 0, 20, 1, 8, 1, 9, 9, 0, 4, 1}))
            .allocating(256)
            .test());
  }

  private static Event decoded(byte[] event) {
    return Event.decode(event, config(SELF)).orElseThrow();
  }

  private static HashgraphConfig config(ReplicaId id) {
    return new HashgraphConfig(
        id,
        new ReplicaGroup(SIZE, ReplicaGroup.Faults.BYZANTINE),
        "cluster",
        SimulatedReplica.PACE,
        SimulatedReplica.BOUNDS);
  }

  /** Nothing but the signed events in the corpus is accepted, whatever came before. */
  private void anyMessage(byte[] input) {
    any.message(LIAR.number(), input);
    if (any.core.events() > 2) {
      throw new AssertionError("an event was accepted that nobody has signed");
    }
  }

  private void script(byte[] input) {
    Replica replica = new Replica(SELF);
    Deque<byte[]> coming = new ArrayDeque<>(history);
    List<Event> known = new ArrayList<>();
    Deque<byte[]> withheld = new ArrayDeque<>();
    ByteBuffer script = ByteBuffer.wrap(input);
    try {
      for (int step = 0; step < MOST_STEPS && script.hasRemaining(); step++) {
        switch (script.get() & 3) {
          case 0 -> {
            for (int i = script.get() & 127; i > 0 && !coming.isEmpty(); i--) {
              known.add(decoded(coming.element()));
              replica.receive(1, coming.remove());
            }
          }
          case 1 -> replica.receive(1 + (script.get() & 1) * 2, hostile(script, replica, known));
          case 2 -> withheld.add(hostile(script, replica, known));
          default -> {
            withheld.reversed().forEach(each -> replica.receive(LIAR.number(), each));
            withheld.clear();
          }
        }
      }
    } catch (BufferUnderflowException e) {
      // the script ends in a step
    }
    coming.forEach(each -> replica.receive(1, each));
    // What found no room comes again with the next answer, parents before children.
    for (int before = -1; !replica.executed.equals(order) && replica.executed.size() > before; ) {
      before = replica.executed.size();
      history.forEach(each -> replica.receive(1, each));
    }
    if (!replica.executed.equals(order)) {
      throw new AssertionError("the liar has changed the order: " + replica.executed);
    }
    int before = replica.journal.read().events().size();
    replica.look();
    if (replica.journal.read().events().size() == before) {
      throw new AssertionError("the replica makes no events any more");
    }
  }

  /** Makes an event on some of the known, with what the script says, true or not. */
  private byte[] hostile(ByteBuffer script, Replica replica, List<Event> known) {
    byte rounds = script.get();
    long born = Math.max(1, replica.core.round() + (rounds >> 4));
    Instant created = SimulatedReplica.START.plusMillis(16L * script.get());
    List<Event.Parent> parents = new ArrayList<>();
    Set<ReplicaId> named = new HashSet<>();
    for (int count = script.get() & 7; count > 0 && !known.isEmpty(); count--) {
      Event parent = known.get(known.size() - 1 - (script.get() & 0xff) % known.size());
      if (named.add(parent.creator())) {
        long said = Math.clamp(parent.birthRound() - (rounds & 1), 1, born);
        parents.add(
            parent.creator().equals(LIAR) ? 0 : parents.size(),
            new Event.Parent(parent.creator(), said, parent.hash()));
      }
    }
    byte[] request = new byte[script.get() & 127];
    Event event =
        Event.sign(
            new Event.Body(LIAR, born, created, rounds, parents, List.of(request)),
            "cluster",
            keys.get(LIAR.number()));
    known.add(event);
    return event.bytes();
  }
}
