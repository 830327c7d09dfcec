package io.kairos.hashgraph;

import java.util.List;
import java.util.Optional;

/**
 * The memory of a replica that outlives its process. The replica appends every event that it
 * accepts, and forces them before it sends an event of its own: so it comes back with all that it
 * has sent and with its parents, and never makes a second event in the place of one. Called on the
 * log's thread. Trouble with the disk is thrown, and ends the replica.
 */
public interface EventJournal {
  /** All that is kept, in the order of {@link #append}. An end that is torn or damaged is cut. */
  Kept read();

  /** Appends an event, which may be lost until it is forced. */
  void append(byte[] event);

  /** Returns when everything that was appended is on the disk. */
  void force();

  /** Replaces everything, atomically, and returns when it is on the disk. */
  void replace(byte[] head, List<byte[]> events);

  /**
   * The content of a journal: its head, a {@link JournalHead}, if it was ever replaced, and the
   * events since.
   */
  record Kept(Optional<byte[]> head, List<byte[]> events) {
    public Kept {
      events = List.copyOf(events);
    }
  }
}
