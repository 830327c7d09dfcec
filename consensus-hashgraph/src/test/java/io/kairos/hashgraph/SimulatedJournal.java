package io.kairos.hashgraph;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** A journal in memory; a crash loses some of what was not forced. */
final class SimulatedJournal implements EventJournal {
  private final SplittableRandom random;
  private Optional<byte[]> checkpoint = Optional.empty();
  private final List<byte[]> events = new ArrayList<>();
  private int forced;

  /** A mutant's: what it forces may be lost all the same. */
  boolean forcesNothing;

  SimulatedJournal(SplittableRandom random) {
    this.random = random;
  }

  @Override
  public Kept read() {
    return new Kept(checkpoint, events);
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
  public void replace(byte[] newCheckpoint, List<byte[]> newEvents) {
    checkpoint = Optional.of(newCheckpoint);
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
    return lost;
  }

  boolean hasCheckpoint() {
    return checkpoint.isPresent();
  }

  void wipe() {
    checkpoint = Optional.empty();
    events.clear();
    forced = 0;
  }
}
