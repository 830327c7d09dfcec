package io.kairos.engine.cron;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.page.ReservedPages;

/** The user's part of a replicated cron: which entries there are, and what requests do. */
public interface CronApplication {
  /**
   * Adds the entries to the tables of its components. Called at the start and after each snapshot,
   * with empty tables; what it adds may depend on the pages and on nothing else, because a replica
   * that comes back must have the same entries as one that stayed.
   */
  void build(CronTableRegistry tables, ReservedPages pages);

  /**
   * Executes a client's request and returns its reply. Deterministic, as actions are. If it throws,
   * what it wrote to pages of user code is taken back and the client is told.
   */
  byte[] execute(Request request, ReservedPages pages);

  /**
   * A request in its place.
   *
   * @param time the last agreed time
   */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record Request(long sequence, AgreedTime time, byte[] body) {}
}
