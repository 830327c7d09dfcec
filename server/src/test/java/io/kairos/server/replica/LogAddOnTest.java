package io.kairos.server.replica;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogAddOnTest {
  @TempDir private Path home;

  @Test
  void a_log_on_the_class_path_needs_no_folder() {
    assertThatNoException()
        .isThrownBy(() -> LogAddOn.find("hashgraph", Optional.empty(), "1.0").close());
  }

  @Test
  void a_missing_add_on_is_named_with_its_folder_and_how_to_get_it() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LogAddOn.find("paxos", Optional.of(home), "1.0"))
        .withMessageContaining("replica.log: paxos")
        .withMessageContaining(home.resolve("addons/paxos").toString())
        .withMessageContaining("kairos-paxos-1.0.tar.gz");
  }

  @Test
  void a_folder_with_other_jars_is_no_add_on() throws IOException {
    Path folder = Files.createDirectories(home.resolve("addons/paxos"));
    Files.writeString(folder.resolve("broken.jar"), "no jar");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> LogAddOn.find("paxos", Optional.of(home), "1.0"))
        .withMessageContaining("kairos-paxos");
  }
}
