package io.kairos.domain.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.page.ReservedPages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Tables through random lives, beside a table as one would write it in five lines: a list that is
 * sorted at each tick, next times in fields. Restarts and snapshots must leave no trace.
 */
class CronTableSeedsTest {
  private static final ComponentId OURS = new ComponentId(3);
  private static final int SEEDS = Integer.getInteger("sim.seeds", 300);

  /** A periodic entry, plainly. */
  private static final class Plain {
    private final int position;
    private final long period;
    private final boolean anchored;
    private long next = -1;

    Plain(int position, long period, boolean anchored) {
      this.position = position;
      this.period = period;
      this.anchored = anchored;
    }

    void tick(long now, List<String> done) {
      if (next < 0) {
        next = anchored ? (now + period - 1) / period * period : now;
      }
      if (now >= next) {
        next = anchored ? (now / period + 1) * period : now + period;
        done.add(position + "@" + now);
      }
    }
  }

  @Test // CC-3
  void cc1_to_cc31_a_table_does_what_a_plain_list_does() {
    Long replayed = Long.getLong("sim.seed");
    if (replayed != null) {
      live(replayed);
      return;
    }
    for (long seed = 1; seed <= SEEDS; seed++) {
      live(seed);
    }
  }

  private static void live(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ReservedPages pages = new ReservedPages(1 << 26);
    CronTable table = new CronTableRegistry(pages, CronListener.NONE).table(OURS);
    List<Plain> plain = new ArrayList<>();
    List<String> done = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    long now = random.nextLong(1_000);
    for (int step = 0; step < 300; step++) {
      int position = random.nextInt(1, 6) * random.nextInt(1, 300);
      switch (random.nextInt(10)) {
        case 0, 1 -> {
          Plain entry = new Plain(position, random.nextLong(1, 5_000), random.nextBoolean());
          if (plain.stream().noneMatch(other -> other.position == position)) {
            plain.add(entry);
            add(table, entry, done);
          }
        }
        case 2 ->
            assertThat(table.remove(position))
                .isEqualTo(plain.removeIf(other -> other.position == position));
        case 3 -> {
          ReservedPages.Snapshot snapshot = pages.snapshot();
          if (random.nextBoolean()) {
            pages = new ReservedPages(1 << 26);
            table = new CronTableRegistry(pages, CronListener.NONE).table(OURS);
            pages.restore(ReservedPages.Snapshot.decode(snapshot.encode()));
            for (Plain entry : plain) {
              add(table, entry, done);
            }
          } else {
            pages.restore(snapshot);
          }
        }
        default -> {
          now += random.nextLong(1, 2_000);
          table.evaluate(new Tick(OURS, step + 1, AgreedTime.at(now)));
          plain.sort(Comparator.comparingInt(entry -> entry.position));
          for (Plain entry : plain) {
            entry.tick(now, expected);
          }
        }
      }
      assertThat(done).as("-Dsim.seed=" + seed).isEqualTo(expected);
    }
  }

  private static void add(CronTable table, Plain entry, List<String> done) {
    Duration period = Duration.ofMillis(entry.period);
    int position = entry.position;
    table.add(
        entry.anchored
            ? PeriodicEntries.atFixedRate(
                table,
                position,
                period,
                Instant.EPOCH,
                (tick, _) -> done.add(position + "@" + millis(tick)))
            : PeriodicEntries.every(
                table, position, period, tick -> done.add(position + "@" + millis(tick))));
  }

  private static long millis(Tick tick) {
    return ((AgreedTime.At) tick.time()).epochMillis();
  }
}
