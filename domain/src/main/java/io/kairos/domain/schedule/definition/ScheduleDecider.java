package io.kairos.domain.schedule.definition;

/** Decides that a schedule's time has come; the decisions do not depend on it. */
public enum ScheduleDecider {
  /** The first node that looks, by the store's clock. */
  NODE,
  /** A replicated cron, by its agreed time: without it no fire time is decided. */
  REPLICATED
}
