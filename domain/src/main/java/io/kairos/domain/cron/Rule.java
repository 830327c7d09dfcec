package io.kairos.domain.cron;

/**
 * Whether an entry is to act now (CC-18). Deterministic and quick: it may look at the tick and at
 * replicated state, changes nothing, and is asked at every tick.
 */
@FunctionalInterface
public interface Rule {
  boolean isDue(Tick tick);
}
