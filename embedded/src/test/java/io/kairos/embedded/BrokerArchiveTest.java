package io.kairos.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Only the files; that the JVM writes and takes them is seen when the packaged application starts
 * twice.
 */
class BrokerArchiveTest {
  private static final String WRITE = "-XX:ArchiveClassesAtExit=";
  private static final String USE = "-XX:SharedArchiveFile=";

  private final Path cache;
  private final Path jar;

  BrokerArchiveTest(@TempDir Path directory) throws IOException {
    this.cache = directory.resolve("cache");
    this.jar = Files.writeString(directory.resolve("app.jar"), "classes");
  }

  @Test
  void is_written_by_the_first_run_and_used_by_the_next() throws IOException {
    broker().adopt(written(broker()));

    assertThat(firstOption(broker())).startsWith(USE);
  }

  @Test
  void is_written_anew_when_a_jar_has_changed() throws IOException {
    broker().adopt(written(broker()));

    Files.writeString(jar, "other classes");

    assertThat(firstOption(broker())).startsWith(WRITE);
  }

  @Test
  void is_dropped_when_the_broker_was_killed_and_may_have_written_half_of_it() throws IOException {
    written(broker());

    broker().adopt(false);

    assertThat(firstOption(broker())).startsWith(WRITE);
    assertThat(archives()).isZero();
  }

  @Test
  void does_not_pile_up_in_the_cache() throws IOException {
    for (int version = 0; version < 10; version++) {
      Files.writeString(jar, "x".repeat(version));
      broker().adopt(written(broker()));
    }

    assertThat(archives()).isEqualTo(3);
  }

  @Test
  void is_not_made_of_folders_of_classes() {
    BrokerArchive archive =
        BrokerArchive.forClassPath(jar + File.pathSeparator + "target/classes", cache);

    assertThat(archive.jvmOptions()).isEmpty();
  }

  private BrokerArchive broker() {
    return BrokerArchive.forClassPath(jar.toString(), cache);
  }

  /** What the broker's JVM does at its end. */
  private static boolean written(BrokerArchive archive) throws IOException {
    String option = firstOption(archive);
    assertThat(option).startsWith(WRITE);
    Files.writeString(Path.of(option.substring(WRITE.length())), "archive");
    return true;
  }

  private static String firstOption(BrokerArchive archive) {
    return archive.jvmOptions().getFirst();
  }

  private long archives() throws IOException {
    try (Stream<Path> files = Files.list(cache)) {
      return files.count();
    }
  }
}
