package io.kairos.embedded.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that nobody empties fills the disk that the data is on. */
class ProcessLogTest {
  @TempDir Path directory;

  @Test
  void is_emptied_when_it_outgrows_its_bound_while_its_child_runs() throws IOException {
    Path path = directory.resolve("child.log");
    ProcessLog log = new ProcessLog(path);
    log.open();
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength((16L << 20) + 1); // sparse: takes no room
    }

    ProcessLog.trimAll();
    log.close();

    assertThat(path).isEmptyFile();
    assertThat(directory.resolve("child.log.1")).hasSize((16L << 20) + 1);
  }

  @Test
  void keeps_one_old_generation_at_a_start() throws IOException {
    Path path = Files.writeString(directory.resolve("child.log"), "last run\n");
    ProcessLog log = new ProcessLog(path);

    log.open();
    log.close();

    assertThat(path).doesNotExist();
    assertThat(directory.resolve("child.log.1")).hasContent("last run");
  }

  @Test
  void quotes_the_line_that_looks_like_the_reason_or_else_the_last() throws IOException {
    ProcessLog log =
        new ProcessLog(
            Files.writeString(directory.resolve("child.log"), "one\nFATAL: two\nthree\n"));

    assertThat(log.reason(line -> line.startsWith("FATAL"))).startsWith("FATAL: two");
    assertThat(log.reason(line -> line.startsWith("PANIC"))).startsWith("three");
  }
}
