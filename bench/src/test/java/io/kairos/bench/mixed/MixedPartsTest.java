package io.kairos.bench.mixed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.bench.mixed.MixedChecker.Rule;
import io.kairos.bench.mixed.MixedEvent.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MixedPartsTest {
  private final List<Integer> ran = new ArrayList<>();
  @TempDir Path folder;

  @Test
  void a_run_goes_on_with_the_part_that_was_broken_off() throws Exception {
    MixedParts parts = new MixedParts(folder.resolve("history"), 3);

    assertThatThrownBy(() -> parts.run((part, file) -> run(part, file, part != 2)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(parts.check().broken(Rule.INCOMPLETE)).isEqualTo(2);
    assertThat(parts.check().broken(Rule.LOST)).isEqualTo(1);

    parts.run((part, file) -> run(part, file, true));

    assertThat(ran).containsExactly(1, 2, 2, 3);
    assertThat(parts.check().broken(Rule.INCOMPLETE)).isZero();
    assertThat(parts.check().broken(Rule.LOST)).isZero();
    assertThat(parts.check().seed()).hasValue(42);
  }

  /** Writes what a part writes; one that is broken off has lost its message so far. */
  private void run(int part, Path file, boolean toItsEnd) throws IOException {
    ran.add(part);
    try (MixedHistory history = new MixedHistory(file)) {
      history.write(MixedEvent.of(Kind.PART, "42"));
      history.write(MixedEvent.asked(Kind.PLANNED, "cron-topic/1", 1_000, null));
      if (!toItsEnd) {
        throw new IllegalStateException("broken off");
      }
      history.write(MixedEvent.arrived(1_000, "cron-topic/1", "run"));
      history.write(MixedEvent.of(Kind.COMPLETE, ""));
    }
  }
}
