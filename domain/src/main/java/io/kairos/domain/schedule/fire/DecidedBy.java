package io.kairos.domain.schedule.fire;

/** Who says that a schedule's time has come; what is decided then is the same. */
public enum DecidedBy {
  /** Whichever node comes first, by the store's clock. */
  NODE,
  /** A replicated cron, by its agreed time: without it no fire time is decided. */
  REPLICATED
}
