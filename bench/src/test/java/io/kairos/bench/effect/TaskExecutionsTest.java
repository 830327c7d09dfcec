package io.kairos.bench.effect;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.effect.Effect.Kind;
import io.kairos.bench.effect.TaskExecutions.Execution;
import io.kairos.bench.observe.JsonLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskExecutionsTest {
  private static final UUID TASK = new UUID(0, 1);

  private final TaskExecutions executions = new TaskExecutions();
  private long nanos;

  @Test
  void an_execution_goes_on_until_its_end() {
    Effect begin = saw(Kind.BEGIN, 2);
    Effect effect = saw(Kind.EFFECT, 2);
    assertThat(executions.underWay()).containsExactly(new Execution(begin, effect));

    saw(Kind.END, 2);

    assertThat(executions.underWay()).isEmpty();
    assertThat(executions.fences()).isEqualTo(Map.of(TASK, 2L));
  }

  @Test
  void an_execution_that_was_broken_off_is_followed_by_the_next() {
    saw(Kind.BEGIN, 2);
    Execution broken = executions.underWay().getFirst();
    assertThat(executions.after(broken)).isEmpty();

    Effect again = saw(Kind.BEGIN, 5);

    assertThat(executions.after(broken)).contains(new Execution(again, again));
    assertThat(executions.count()).isEqualTo(2);
    assertThat(executions.stale()).isEmpty();
  }

  @Test
  void da22_an_effect_after_a_later_execution_has_begun_is_stale() {
    saw(Kind.BEGIN, 2);
    saw(Kind.BEGIN, 5);
    Effect late = saw(Kind.EFFECT, 2);
    Effect later = saw(Kind.END, 2);

    assertThat(executions.stale()).containsExactly(late, later);
    assertThat(executions.overlapping()).isEqualTo(1);
    assertThat(executions.underWay()).hasSize(1);
  }

  @Test
  void a_log_is_read_on_from_where_it_was_left(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("effects");
    JsonLines.Tail<Effect> tail = new JsonLines.Tail<>(file, Effect.class);
    List<Effect> read = new ArrayList<>();
    tail.forEachNew(read::add);
    try (JsonLines<Effect> log = JsonLines.append(file)) {
      Effect first = effect(Kind.BEGIN, 2);
      Effect second = effect(Kind.END, 2);
      log.write(first);
      tail.forEachNew(read::add);
      log.write(second);
      Files.writeString(file, "EFFECT half a li", StandardOpenOption.APPEND);
      tail.forEachNew(read::add);

      assertThat(read).containsExactly(first, second);
    }
  }

  private Effect saw(Kind kind, long fence) {
    Effect effect = effect(kind, fence);
    executions.saw(effect);
    return effect;
  }

  private Effect effect(Kind kind, long fence) {
    return new Effect(kind, TASK, fence, 42, 4711, ++nanos);
  }
}
