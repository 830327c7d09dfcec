package io.kairos.bench.replica;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.Evaluation;
import io.kairos.domain.cron.Periodic;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.page.ReservedPages;
import java.time.Duration;

/**
 * A cron table with {@value #ENTRIES} periodic entries that do nothing, and no log: what a tick of
 * it costs is what its evaluation costs, with next times saved in reserved pages. Used by one
 * thread.
 */
public final class TickedTable {
  public static final int ENTRIES = 100_000;

  private static final ComponentId COMPONENT = new ComponentId(1);
  private static final int MAX_PAGES = 1_000;

  /** Between two ticks, of agreed time. */
  private static final Duration TICK = Duration.ofSeconds(1);

  /** Which of the entries are due at each tick after the first. */
  public enum Due {
    ALL(TICK, ENTRIES),
    /** For ten years. */
    NONE(Duration.ofDays(3_650), 0);

    private final Duration period;
    private final int entries;

    Due(Duration period, int entries) {
      this.period = period;
      this.entries = entries;
    }
  }

  private final CronTable table =
      new CronTableRegistry(new ReservedPages(MAX_PAGES), CronListener.NONE).table(COMPONENT);
  private final Evaluation expected;
  private long ticks;

  /** A table that has had its first tick, at which every entry is due. */
  public TickedTable(Due due) {
    for (int position = 0; position < ENTRIES; position++) {
      table.add(Periodic.every(table, position, due.period, _ -> {}));
    }
    evaluate(new Evaluation.Done(ENTRIES, ENTRIES, 0));
    expected = new Evaluation.Done(ENTRIES, due.entries, 0);
  }

  /** The next tick: asks the rule of every entry, and lets those act that are due. */
  public Evaluation tick() {
    return evaluate(expected);
  }

  private Evaluation evaluate(Evaluation due) {
    ticks++;
    Evaluation done =
        table.evaluate(new Tick(COMPONENT, ticks, AgreedTime.at(ticks * TICK.toMillis())));
    if (!done.equals(due)) {
      throw new IllegalStateException("tick %d: %s, not %s".formatted(ticks, done, due));
    }
    return done;
  }
}
