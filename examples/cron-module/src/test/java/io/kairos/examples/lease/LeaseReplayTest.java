package io.kairos.examples.lease;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.ComponentId;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.Entry;
import io.kairos.engine.cron.entry.When;
import io.kairos.engine.cron.entry.Work;
import io.kairos.testkit.replay.ModuleReplay;
import io.kairos.testkit.replay.Replayed;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class LeaseReplayTest {
  @Test
  void leases_are_the_same_on_every_replica() {
    var removeLapsed = new Work.Run("leases", "lease-lapsed".getBytes(UTF_8));
    var everyThreeSeconds = new When.Every(Duration.ofSeconds(3));
    var entry = new Entry(new ComponentId(1), 0, "lapsed leases", everyThreeSeconds, removeLapsed);

    Replayed replayed =
        ModuleReplay.of(new BookCommand.PutEntry(entry, BookCommand.Mode.CREATE))
            .requests("leases", 500, LeaseReplayTest::anyRequest)
            .check();

    assertThat(replayed.fires()).isGreaterThan(100);
    assertThat(replayed.thrown()).isZero();
  }

  private static byte[] anyRequest(RandomGenerator random) {
    String name = "machine-" + random.nextInt(20);
    String holder = "holder-" + random.nextInt(3);
    String request =
        switch (random.nextInt(4)) {
          case 0 -> "show " + name;
          case 1 -> "free " + name + " " + holder;
          default -> "take " + name + " " + holder + " " + random.nextInt(1, 60);
        };
    return request.getBytes(UTF_8);
  }
}
