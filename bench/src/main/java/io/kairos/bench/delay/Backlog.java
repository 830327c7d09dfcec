package io.kairos.bench.delay;

import io.kairos.bench.load.DueTimes;
import io.kairos.bench.load.Generator;
import io.kairos.bench.load.LoadPlan;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.measure.StoredMessages;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.RouteTopics;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Messages that wait far in the future while others come and go: through the input topic like any.
 */
final class Backlog {
  private static final Duration SOONEST = Duration.ofHours(24);
  private static final Duration SPREAD = Duration.ofHours(24);
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private Backlog() {}

  /** Returns when all of them are stored, vacuumed and analyzed, as after hours of waiting. */
  static void store(Rig rig, RouteTopics topics, long count, int valueBytes, Progress progress)
      throws SQLException {
    long run = new SplittableRandom().nextLong() >>> 1;
    long dueFrom = WallClock.micros() + SOONEST.toNanos() / 1_000;
    LoadPlan plan =
        new LoadPlan(
            topics.input(),
            new Payload(run, valueBytes),
            DueTimes.within(dueFrom, SPREAD, run),
            count,
            LoadPlan.FLOOD);
    long began = WallClock.micros();
    try (Connection connection = rig.connect();
        Statement statement = connection.createStatement();
        Generator generator = Generator.start(rig.bootstrapServers(), plan, began)) {
      StoredMessages stored = new StoredMessages(connection, topics.route());
      generator.await(PATIENCE);
      if (!stored.awaitTakenIn(count, PATIENCE)) {
        throw new IllegalStateException(
            "only " + stored.takenIn() + " of " + count + " waiting messages were stored");
      }
      progress.say(
          "%s messages due in a day or two are stored, %s a second"
              .formatted(
                  Shown.count(count), Shown.count(count * 1e6 / (WallClock.micros() - began))));
      statement.execute("vacuum (analyze) delayed_message");
      statement.execute("checkpoint");
    }
  }
}
