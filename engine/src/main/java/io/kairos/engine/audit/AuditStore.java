package io.kairos.engine.audit;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * Keeps the audit log. Thread-safe; calls block. Throws {@link
 * io.kairos.engine.node.StoreUnavailable}.
 */
public interface AuditStore {
  /**
   * Keeps nothing and knows nothing: for a process without a store, whose audit log is its log
   * alone.
   */
  AuditStore NONE =
      new AuditStore() {
        @Override
        public List<Long> write(List<NewEntry> entries, List<EndedCall> ended) {
          return Collections.nCopies(entries.size(), 0L);
        }

        @Override
        public List<AuditRecord> list(AuditSearch query) {
          return List.of();
        }

        @Override
        public int undecided(Duration endedWithin, Duration lookedBack, int limit) {
          return 0;
        }

        @Override
        public int prune(Duration retention, int limit) {
          return 0;
        }
      };

  /**
   * An entry to be written.
   *
   * @param outcome {@link AuditRecord#BEGUN} for a call that is about to be let through
   * @param more as in {@link AuditRecord}
   */
  record NewEntry(AuditedCall call, String outcome, long more) {}

  /**
   * The end of a call.
   *
   * @param number of its entry
   */
  record EndedCall(long number, String outcome) {}

  /**
   * Writes new entries and the outcomes of calls, all or none; durable when it returns. The outcome
   * of an entry that has one already, or that has been pruned, changes nothing.
   *
   * @return the numbers of the new entries, in their order
   */
  List<Long> write(List<NewEntry> entries, List<EndedCall> ended);

  /** Returns entries, newest first. */
  List<AuditRecord> list(AuditSearch query);

  /**
   * Counts entries that are still {@link AuditRecord#BEGUN}, of calls that began longer ago than
   * {@code endedWithin} and not longer ago than {@code lookedBack}.
   *
   * @param limit most entries of that time to look at, the newest
   */
  int undecided(Duration endedWithin, Duration lookedBack, int limit);

  /**
   * Removes entries of calls that began longer ago than the retention, the oldest first.
   *
   * @param limit most entries to remove
   * @return the number of removed entries
   */
  int prune(Duration retention, int limit);
}
