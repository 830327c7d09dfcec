package io.kairos.postgres.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.cluster.WaitingCounts.Count;
import io.kairos.engine.cluster.WaitingSpan;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.postgres.sql.FailureText;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.assertj.core.api.SoftAssertions;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Estimates of tables of ten million rows, whose pages are made when they are read. */
class WaitingCountTest {
  private static final Percentage TENTH = Percentage.withPercentage(10);

  /** For cells of which few pages have something. */
  private static final Percentage QUARTER = Percentage.withPercentage(25);

  private static final Instant NOW = Instant.parse("2026-03-01T12:34:56Z");
  private static final double DAYS = 86_400e6;

  /** How due times lie from now on, in days: shares of rows in order to times. */
  enum Shape {
    EVEN(share -> share * 40),
    /** Half of all are due in the next two days. */
    SOON(share -> 40 * Math.pow(share, 4)),
    /** A third is overdue, and a sixth is due at one moment. */
    PILED(share -> share < 0.33 ? -share : share < 0.5 ? 3.5 : 80 * (share - 0.5));

    @SuppressWarnings("ImmutableEnumChecker") // functions that hold nothing
    private final DoubleUnaryOperator days;

    Shape(DoubleUnaryOperator days) {
      this.days = days;
    }
  }

  /** A table whose rows lie in the order of their times, or in none. */
  private static final class MadeTable implements WaitingCount.Source {
    private static final int ROWS = 10_000_000;
    private static final int ROWS_PER_PAGE = 50;
    private static final long PAGES = ROWS / ROWS_PER_PAGE;

    private final Shape shape;
    private final boolean isOrdered;
    private final WaitingCells cells;
    private final long[] truth;
    private long counted;
    private long pagesRead;

    private MadeTable(Shape shape, boolean isOrdered, WaitingCells cells) {
      this.shape = shape;
      this.isOrdered = isOrdered;
      this.cells = cells;
      this.truth = new long[cells.count()];
      for (int row = 0; row < ROWS; row++) {
        truth[cell(row)]++;
      }
    }

    private int cell(long row) {
      // Multiplied by a number without a common divisor, every row comes once.
      long rank = isOrdered ? row : row * 7_368_787L % ROWS;
      double days = shape.days.applyAsDouble((double) rank / ROWS);
      long at = cells.nowMicros() + (long) (days * DAYS);
      int cell = 0;
      if (at > cells.nowMicros()) {
        long bar = (at - cells.beginMicros()) / cells.span().lengthMicros();
        cell = 1 + (int) Math.min(bar, cells.span().bars());
      }
      return cell;
    }

    @Override
    public long[] count(long fromMicros, long toMicros, int most) {
      long[] found = new long[truth.length];
      long left = most;
      for (int cell = 0; cell < truth.length; cell++) {
        if (cells.fromMicros(cell) >= fromMicros && cells.toMicros(cell) <= toMicros) {
          found[cell] = Math.min(left, truth[cell]);
          left -= found[cell];
        }
      }
      counted += most - left;
      return found;
    }

    @Override
    public long[][] sample(double percent, long seed) {
      long[][] samples = new long[WaitingCount.SAMPLES][truth.length];
      for (int sample = 0; sample < samples.length; sample++) {
        Random random = new Random(seed + sample);
        for (long page = 0; page < PAGES; page++) {
          if (random.nextDouble() * 100 < percent) {
            pagesRead++;
            for (int i = 0; i < ROWS_PER_PAGE; i++) {
              samples[sample][cell(page * ROWS_PER_PAGE + i)]++;
            }
          }
        }
      }
      return samples;
    }

    @Override
    public long pages() {
      return PAGES;
    }
  }

  @Test
  void where_counting_takes_too_long_the_estimate_stays() {
    MadeTable table = new MadeTable(Shape.EVEN, true, WaitingCells.of(WaitingSpan.DAY, NOW));
    WaitingCount.Source slow =
        new WaitingCount.Source() {
          @Override
          public long[] count(long fromMicros, long toMicros, int most) {
            if (most > WaitingCount.EXACT + 1) {
              throw tooLong();
            }
            return table.count(fromMicros, toMicros, most);
          }

          @Override
          public long[][] sample(double percent, long seed) {
            if (table.pagesRead > 0) {
              throw tooLong();
            }
            return table.sample(percent, seed);
          }

          @Override
          public long pages() {
            return table.pages();
          }
        };

    List<Count> counts = new WaitingCount(slow, table.cells, 7).all();

    assertThat(counts).hasSize(table.truth.length).allMatch(Count::isEstimated);
  }

  private static StoreUnavailable tooLong() {
    return FailureText.unavailable(
        "counting", new SQLException("took too long", FailureText.QUERY_CANCELLED));
  }

  @ParameterizedTest
  @CsvSource({"EVEN, true", "SOON, false", "PILED, true", "PILED, false"})
  void estimates_of_ten_million_rows_read_a_part_of_them(Shape shape, boolean isOrdered) {
    long seed = Long.getLong("waiting.seed", System.nanoTime());
    System.out.println("WaitingCountTest: -Dwaiting.seed=" + seed);
    SoftAssertions all = new SoftAssertions();
    for (WaitingSpan span : WaitingSpan.values()) {
      MadeTable table = new MadeTable(shape, isOrdered, WaitingCells.of(span, NOW));

      List<Count> counts = new WaitingCount(table, table.cells, seed).all();

      for (int cell = 0; cell < table.truth.length - 1; cell++) {
        all.assertThat(counts.get(cell).count())
            .as("cell %d of %s", cell, span)
            .isCloseTo(table.truth[cell], isOrdered ? QUARTER : TENTH);
      }
      long sum = counts.stream().mapToLong(Count::count).sum();
      all.assertThat(sum).isCloseTo(MadeTable.ROWS, TENTH);
      assertThat(table.counted).isLessThan(2L * WaitingCount.COUNTED_MORE);
      assertThat(table.pagesRead).isLessThan(44_000);
    }
    all.assertAll();
  }
}
