package io.kairos.bench.byzantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.rig.PackagedNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Three replicas of the packed application and a hostile one, each a process. */
@Timeout(1_800)
class ByzantineDemoIT {
  @TempDir private Path folder;

  @Test
  @EnabledIfSystemProperty(
      named = "kairos.long",
      matches = "true",
      disabledReason = "four replicas that verify signatures need two idle processors")
  void three_replicas_survive_all_attacks_of_a_fourth() {
    assertThat(PackagedNode.repository().resolve("server/target/kairos/lib")).isNotEmptyDirectory();
    assertThat(
            new CommandLine(new ByzantineDemoCommand())
                .execute("--seconds=1", "--seed=1", "--work-dir=" + folder))
        .isZero();
  }
}
