package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** A journal in memory; a crash loses some of what was not forced. */
final class SimulatedJournal implements EventJournal {
  private final SplittableRandom random;
  private Optional<byte[]> head = Optional.empty();
  private final List<byte[]> events = new ArrayList<>();
  private int forced;

  /** A mutant's: what it forces may be lost all the same. */
  boolean forcesNothing;

  /** A mutant's: what it should remember is lost, but for its own last event. */
  boolean forgetsForkers;

  SimulatedJournal(SplittableRandom random) {
    this.random = random;
  }

  @Override
  public Kept read() {
    return new Kept(head, events);
  }

  @Override
  public void append(byte[] event) {
    events.add(event);
  }

  @Override
  public void force() {
    forced = forcesNothing ? forced : events.size();
  }

  @Override
  public void replace(byte[] newHead, List<byte[]> newEvents) {
    head = Optional.of(newHead);
    events.clear();
    events.addAll(newEvents);
    forced = events.size();
  }

  /** Returns how many events were lost. */
  int crash() {
    int kept = random.nextInt(forced, events.size() + 1);
    int lost = events.size() - kept;
    events.subList(kept, events.size()).clear();
    forced = kept;
    if (forgetsForkers) {
      head =
          head()
              .map(each ->
                  new JournalHead(each.snapshot(), each.last(), each.silentUntil(), List.of()))
              .map(JournalHead::encode);
    }
    return lost;
  }

  /** What is remembered beside the events. */
  Optional<JournalHead> head() {
    return head.flatMap(each ->
        JournalHead.decode(
            each, new ReplicaGroup(ReplicaGroup.LARGEST, ReplicaGroup.Faults.BYZANTINE)));
  }

  /** The directory is lost, and the operator says so. */
  void wipe() {
    head = Optional.of(JournalHead.forgotten().encode());
    events.clear();
    forced = 0;
  }
}
