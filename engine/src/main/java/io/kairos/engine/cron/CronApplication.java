package io.kairos.engine.cron;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.page.ReservedPages;
import java.time.Duration;
import java.util.Map;

/** The user's part of a replicated cron: its entries, and the execution of requests. */
public interface CronApplication {
  /**
   * Adds the entries to the tables of its components. Called with empty tables, at the start and
   * after each snapshot. The entries may depend on the pages only, because a restarted replica must
   * have the same entries as the others.
   */
  void build(CronTableRegistry tables, ReservedPages pages);

  /**
   * The components that this replica ticks for, with the period of each, which only bounds how
   * exactly entries meet their times; zero for no ticks. Asked on the log's thread, four times a
   * second. Empty for tables whose ticks the program starts itself.
   */
  default Map<ComponentId, Duration> ticks() {
    return Map.of();
  }

  /**
   * Executes a client's request and returns its reply. Deterministic, like actions. If it throws,
   * its writes to pages of user code are undone and the client gets an error.
   */
  byte[] execute(Request request, ReservedPages pages);

  /**
   * A request at its place in the order.
   *
   * @param time the last agreed time
   */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record Request(long sequence, AgreedTime time, byte[] body) {}
}
