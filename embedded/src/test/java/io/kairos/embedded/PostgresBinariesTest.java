package io.kairos.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresBinariesTest {
  @TempDir Path directory;

  @Test
  void may_be_unpacked_by_two_processes_at_once() throws Exception {
    Path cache = directory.resolve("cache");

    Process one = unpacking(cache);
    Process two = unpacking(cache);

    assertThat(one.waitFor()).isZero();
    assertThat(two.waitFor()).isZero();
    try (Stream<Path> files = Files.list(cache)) {
      List<String> names = files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
      assertThat(names).hasSize(2);
      assertThat(names.get(1)).isEqualTo(names.get(0) + ".lock");
    }
  }

  private static Process unpacking(Path cache) throws IOException {
    return new ProcessBuilder(
            Path.of(OptionChecks.systemProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-cp",
            OptionChecks.systemProperty("java.class.path"),
            Unpacking.class.getName(),
            cache.toString())
        .inheritIO()
        .start();
  }

  /** The main class of a process that needs the programs. */
  static final class Unpacking {
    private Unpacking() {}

    public static void main(String[] arguments) {
      Path program = PostgresBinaries.installed(Path.of(arguments[0])).program("postgres");
      if (!Files.isExecutable(program)) {
        throw new IllegalStateException(program + " was not unpacked");
      }
    }
  }
}
