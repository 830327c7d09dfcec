package io.kairos.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresBinariesTest {
  @TempDir Path directory;

  @Test
  void may_be_unpacked_by_two_processes_at_once() throws Exception {
    Map<String, String> cache = Map.of("XDG_CACHE_HOME", directory.resolve("cache").toString());
    try (ParentProcess one = ParentProcess.start(directory.resolve("one"), 0, -1, cache);
        ParentProcess two = ParentProcess.start(directory.resolve("two"), 0, -1, cache)) {
      assertThat(one.awaitPid("postgres")).isPositive();
      assertThat(two.awaitPid("postgres")).isPositive();
    }

    try (Stream<Path> files = Files.list(directory.resolve("cache/kairos"))) {
      List<String> names = files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
      assertThat(names).hasSize(2);
      assertThat(names.get(1)).isEqualTo(names.get(0) + ".lock");
    }
  }
}
