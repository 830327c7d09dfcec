package io.kairos.bench.byzantine;

import io.kairos.hashgraph.EventJournal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A journal of a replica that does not intend to come back, and from which a twin of it begins. */
final class MemoryJournal implements EventJournal {
  private Optional<byte[]> head = Optional.empty();
  private final List<byte[]> events = new ArrayList<>();

  MemoryJournal() {}

  /** Begins with what another one has. */
  MemoryJournal(MemoryJournal other) {
    head = other.head;
    events.addAll(other.events);
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
  public void force() {}

  @Override
  public void replace(byte[] newHead, List<byte[]> newEvents) {
    head = Optional.of(newHead);
    events.clear();
    events.addAll(newEvents);
  }
}
