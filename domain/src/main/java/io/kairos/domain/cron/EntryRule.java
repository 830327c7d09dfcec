package io.kairos.domain.cron;

/**
 * Decides at every tick if an entry is due. Deterministic and fast: it may read the tick and
 * replicated state, and changes nothing.
 */
@FunctionalInterface
public interface EntryRule {
  boolean isDue(Tick tick);
}
