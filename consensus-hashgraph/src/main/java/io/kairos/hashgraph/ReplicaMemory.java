package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps in the journal what this replica must not forget: the events that are backed, its own last
 * one, who has forked, and whether it is silent. On the log's thread only.
 */
final class ReplicaMemory {
  private final EventJournal journal;
  private Silence silence = new Silence(Silence.NONE);
  private @Nullable Event last;
  private boolean isReplaying;

  ReplicaMemory(EventJournal journal) {
    this.journal = journal;
  }

  /** True while events come from the journal, which has them already. */
  boolean isReplaying() {
    return isReplaying;
  }

  void replaying(boolean isSo) {
    isReplaying = isSo;
  }

  Silence silence() {
    return silence;
  }

  void silence(Silence kept) {
    silence = kept;
  }

  /** The last event of this replica, which its next one has to follow. */
  @Nullable Event last() {
    return last;
  }

  void last(Event event) {
    last = event;
  }

  /** True when an own event can be the next one after the last, or be so again after a silence. */
  boolean isAfterLast(Event event, boolean isSilent) {
    Event before = last;
    return before == null
        || (isSilent && event.birthRound() >= before.birthRound())
        || event.selfParent().filter(parent -> parent.hash().equals(before.hash())).isPresent();
  }

  void append(Event event) {
    if (!isReplaying) {
      journal.append(event.bytes());
    }
  }

  /** Returns when everything that was appended is on the disk. */
  void force() {
    if (!isReplaying) {
      journal.force();
    }
  }

  /** Writes the journal anew: a snapshot, and the events that are needed from there on. */
  void replace(byte @Nullable [] snapshot, List<ReplicaId> forkers, List<Event> events) {
    JournalHead head =
        new JournalHead(
            Optional.ofNullable(snapshot),
            Optional.ofNullable(last).map(Event::bytes),
            silence.until(),
            forkers);
    journal.replace(head.encode(), events.stream().map(Event::bytes).toList());
  }
}
