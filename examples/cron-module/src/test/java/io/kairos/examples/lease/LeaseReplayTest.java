package io.kairos.examples.lease;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.ComponentId;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.EntryDefinition;
import io.kairos.engine.cron.entry.EntryTiming;
import io.kairos.engine.cron.entry.EntryWork;
import io.kairos.model.replay.ModuleReplay;
import io.kairos.model.replay.ReplayResult;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class LeaseReplayTest {
  @Test
  void leases_are_the_same_on_every_replica() {
    var removeLapsed = new EntryWork.Run("leases", "lease-lapsed".getBytes(UTF_8));
    var everyThreeSeconds = new EntryTiming.Every(Duration.ofSeconds(3));
    var entry =
        new EntryDefinition(
            new ComponentId(1), 0, "lapsed leases", everyThreeSeconds, removeLapsed);

    ReplayResult replayed =
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
