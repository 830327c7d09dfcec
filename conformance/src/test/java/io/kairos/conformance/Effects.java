package io.kairos.conformance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The world that the behaviour "slow" acts on: a file, to which each attempt adds lines. */
final class Effects {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Path file;

  Effects(Path file) {
    this.file = file;
  }

  /** One attempt did something, by the clock of this machine. */
  record Effect(String task, long fence, long atMillis) {}

  Path file() {
    return file;
  }

  List<Effect> all() throws IOException {
    if (Files.notExists(file)) {
      return List.of();
    }
    String text = Files.readString(file, US_ASCII);
    return text.substring(0, text.lastIndexOf('\n') + 1)
        .lines()
        .map(line -> line.split(" ", -1))
        .map(words -> new Effect(words[0], Long.parseLong(words[1]), Long.parseLong(words[2])))
        .toList();
  }

  List<Effect> of(String task) throws IOException {
    return all().stream().filter(one -> one.task().equals(task)).toList();
  }

  /**
   * Waits until an attempt of the task with a greater fence has begun; returns its first effect.
   */
  Effect await(String task, long after) throws IOException, InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() - until < 0) {
      for (Effect one : of(task)) {
        if (one.fence() > after) {
          return one;
        }
      }
      TimeUnit.MILLISECONDS.sleep(20); // a file wakes nobody
    }
    throw new AssertionError("no attempt of " + task + " began, after " + of(task).size());
  }

  /** After the first effect of an attempt there is none of an earlier one. */
  void assertNeverTwoAtATime(String task) throws IOException {
    assertThat(of(task)).isNotEmpty();
    assertThat(of(task)).extracting(Effect::fence).isSorted();
  }
}
