package io.kairos.postgres.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.cluster.WaitingCounts;
import io.kairos.engine.cluster.WaitingCounts.Bar;
import io.kairos.engine.cluster.WaitingSpan;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.SoftAssertions;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Beyond 100,000 rows counts are estimates, which are within 10 % also where due times pile up. */
class WaitingEstimateTest {
  private static final Percentage TENTH = Percentage.withPercentage(10);
  private static final int ROWS = 250_000;

  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final PostgresStores STORES = DATABASE.open();

  private final long seed = Long.getLong("waiting.seed", System.nanoTime());

  @BeforeEach
  void empty() {
    System.out.println("WaitingEstimateTest: -Dwaiting.seed=" + seed);
    DATABASE.execute("truncate task, task_queue, delayed_message restart identity");
    DATABASE.execute(WaitingRows.QUEUES + "; " + WaitingRows.ROUTE);
  }

  /**
   * Times of the next 40 days: a tenth of them at 20 moments, a third in the next day, and few in
   * some days.
   */
  private String skewed() {
    long now = EpochMicros.of(STORES.cluster().now());
    Random random = new Random(seed);
    List<Long> moments = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      moments.add(now + (long) (random.nextDouble() * 40 * 86_400e6));
    }
    String array = moments.toString().replace('[', '{').replace(']', '}');
    return """
    (select case
      when n %% 10 = 0 then ('%s'::bigint[])[1 + n / 10 %% 20]
      when n %% 3 = 0 then %d + (random() * 86400e6)::bigint
      else %d + (power(random(), 3) * 40 * 86400e6)::bigint
    end
    from (select setseed(%s)) s, generate_series(1, %d) n)\
    """
        .formatted(array, now, now, (seed % 1_000) / 1_000.0, ROWS);
  }

  /** The counts of each bar, by reading all. */
  private static List<Long> truth(String table, String time, WaitingCounts counts, long width)
      throws SQLException {
    long begin = EpochMicros.of(counts.bars().getFirst().at());
    long[] all = new long[counts.bars().size()];
    try (Connection connection = DATABASE.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select greatest((%s - %d) / %d, 0), count(*) from %s group by 1"
                    .formatted(time, begin, width, table))) {
      while (rows.next()) {
        if (rows.getInt(1) < all.length) {
          all[rows.getInt(1)] = rows.getLong(2);
        }
      }
    }
    return Arrays.stream(all).boxed().toList();
  }

  private static void assertWithinTenth(
      WaitingCounts counts, List<Long> tasks, List<Long> messages) {
    SoftAssertions all = new SoftAssertions();
    for (int i = 0; i < tasks.size(); i++) {
      Bar bar = counts.bars().get(i);
      all.assertThat(bar.tasks()).as("tasks of " + bar).isCloseTo(tasks.get(i), TENTH);
      all.assertThat(bar.messages()).as("messages of " + bar).isCloseTo(messages.get(i), TENTH);
    }
    all.assertAll();
  }

  private static void assertSpansAreCounted() throws SQLException {
    for (WaitingSpan span : WaitingSpan.values()) {
      WaitingCounts counts = STORES.cluster().waiting(span);

      assertWithinTenth(
          counts,
          truth("task", "next_trigger", counts, span.lengthMicros()),
          truth("delayed_message", "deadline", counts, span.lengthMicros()));
      assertThat(counts.tasks().isEstimated()).isTrue();
      assertThat(counts.tasks().count()).isCloseTo(ROWS, TENTH);
      assertThat(counts.messages().count()).isCloseTo(ROWS, TENTH);
    }
  }

  @Test
  void estimates_are_within_a_tenth_of_skewed_times() throws Exception {
    DATABASE.execute(WaitingRows.tasks(skewed()));
    DATABASE.execute(WaitingRows.messages(skewed()));

    assertSpansAreCounted();
  }

  @Test
  void estimates_are_within_a_tenth_where_rows_lie_in_the_order_of_their_times() throws Exception {
    String ordered = "(select a.t from " + skewed() + " a (t) order by a.t)";
    DATABASE.execute(WaitingRows.tasks(ordered));
    DATABASE.execute(WaitingRows.messages(ordered));

    assertSpansAreCounted();
  }

  @Test
  void a_span_of_few_is_counted_one_by_one_beside_many_that_wait_longer() {
    long now = EpochMicros.of(STORES.cluster().now());
    DATABASE.execute(
        WaitingRows.tasks(
            "(select %d + n * 20 * 60 * 1000000::bigint from generate_series(1, 150000) n)"
                .formatted(now)));

    WaitingCounts counts = STORES.cluster().waiting(WaitingSpan.DAY);

    assertThat(counts.bars()).noneMatch(Bar::isEstimated);
    assertThat(counts.bars().stream().mapToLong(Bar::tasks).sum()).isBetween(70L, 72L);
    assertThat(counts.tasks().count()).isCloseTo(150_000, TENTH);
  }

  @Test
  void up_to_a_hundred_thousand_all_are_counted_one_by_one() {
    long now = EpochMicros.of(STORES.cluster().now());
    DATABASE.execute(
        WaitingRows.tasks(
            "(select %d + n * 3000000::bigint from generate_series(1, 100000) n)".formatted(now)));

    WaitingCounts counts = STORES.cluster().waiting(WaitingSpan.MONTH);

    assertThat(counts.bars()).noneMatch(Bar::isEstimated);
    assertThat(counts.tasks()).isEqualTo(new WaitingCounts.Count(100_000, false));
    assertThat(counts.bars().stream().mapToLong(Bar::tasks).sum()).isEqualTo(100_000);
  }
}
