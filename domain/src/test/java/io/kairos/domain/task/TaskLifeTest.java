package io.kairos.domain.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TaskLifeTest {
  /** As the columns of the table. */
  private static final List<Set<TaskState>> COLUMNS =
      List.of(
          EnumSet.of(TaskState.NEW),
          EnumSet.of(TaskState.ENQUEUED),
          EnumSet.of(TaskState.PROCESSING),
          EnumSet.of(TaskState.RETRIABLE_FAILURE),
          EnumSet.of(TaskState.AWAITING),
          EnumSet.of(TaskState.BLOCKED),
          EnumSet.of(TaskState.PAUSED),
          EnumSet.of(TaskState.FAILED, TaskState.DEAD));

  @Test
  void each_state_and_event_lead_where_the_table_in_the_docs_says() throws IOException {
    List<List<String>> table;
    try (Stream<String> lines = Files.lines(Path.of("../docs/tasks.md"))) {
      table =
          lines
              .dropWhile(line -> !line.startsWith("| Event |"))
              .skip(2)
              .takeWhile(line -> line.startsWith("|"))
              .map(TaskLifeTest::cells)
              .toList();
    }

    List<List<String>> expected = new ArrayList<>();
    for (TaskEvent event : TaskEvent.values()) {
      List<String> row = new ArrayList<>();
      row.add(event.name().toLowerCase(Locale.ROOT).replace('_', ' '));
      COLUMNS.forEach(states -> row.add(cell(states, event)));
      expected.add(row);
    }
    assertThat(table).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static List<String> cells(String line) {
    List<String> cells =
        Arrays.stream(line.split("\\|", -1)).map(String::strip).collect(Collectors.toList());
    cells.removeFirst();
    cells.removeLast();
    cells.set(0, cells.getFirst().replaceFirst(":.*", ""));
    return cells;
  }

  private static String cell(Set<TaskState> states, TaskEvent event) {
    Set<TaskState> next = EnumSet.noneOf(TaskState.class);
    for (TaskState state : states) {
      lives(state).forEach(life -> life.after(event).map(TaskLife::state).ifPresent(next::add));
    }
    List<String> words = new ArrayList<>();
    if (next.removeAll(EnumSet.of(TaskState.NEW, TaskState.RETRIABLE_FAILURE))) {
      words.add("waits");
    }
    next.forEach(state -> words.add(state.name()));
    return String.join(" or ", words);
  }

  /** All that a task in this state can be, as far as it matters. */
  private static Stream<TaskLife> lives(TaskState state) {
    return switch (state) {
      case NEW, AWAITING -> Stream.of(new TaskLife(state, 0, 7, false));
      case RETRIABLE_FAILURE, SUCCEEDED, FAILED, DEAD ->
          Stream.of(new TaskLife(state, 1, 7, false), new TaskLife(state, 2, 7, false));
      case ENQUEUED, BLOCKED, PAUSED, CANCELLED ->
          Stream.of(new TaskLife(state, 0, 7, false), new TaskLife(state, 2, 7, false));
      case PROCESSING ->
          Stream.of(1, 2)
              .flatMap(attempt ->
                  Stream.of(
                      new TaskLife(state, attempt, 7, false),
                      new TaskLife(state, attempt, 7, true)));
    };
  }

  private static Stream<TaskLife> all() {
    return Arrays.stream(TaskState.values()).flatMap(TaskLifeTest::lives);
  }

  @Test
  void nothing_happens_to_a_success_or_to_what_was_cancelled() {
    Stream.of(TaskState.SUCCEEDED, TaskState.CANCELLED)
        .flatMap(TaskLifeTest::lives)
        .forEach(life -> {
          for (TaskEvent event : TaskEvent.values()) {
            assertThat(life.after(event)).as("%s of %s", event, life).isEmpty();
          }
        });
  }

  @Test
  void whoever_held_a_task_or_could_have_held_it_holds_an_old_fence_when_it_waits_again() {
    all()
        .forEach(life -> {
          for (TaskEvent event : TaskEvent.values()) {
            life.after(event)
                .ifPresent(next -> {
                  boolean isOld =
                      !next.state().isFinished()
                          && life.state() != next.state()
                          && (life.state().isHeld() || next.state().isHeld());
                  assertThat(next.fence())
                      .as("%s of %s", event, life)
                      .isBetween(life.fence() + (isOld ? 1 : 0), life.fence() + 1);
                });
          }
        });
  }

  @Test
  void only_a_claim_begins_an_attempt_and_only_what_was_not_begun_or_put_off_takes_one_back() {
    all()
        .forEach(life -> {
          for (TaskEvent event : TaskEvent.values()) {
            life.after(event)
                .ifPresent(next ->
                    assertThat(next.attempt())
                        .as("%s of %s", event, life)
                        .isEqualTo(
                            switch (event) {
                              case CLAIM -> life.attempt() + 1;
                              case NOT_BEGUN, SNOOZE ->
                                  next.state().isFinished() ? life.attempt() : life.attempt() - 1;
                              case REDRIVE -> 0;
                              default -> life.attempt();
                            }));
          }
        });
  }

  @Test
  void a_task_waits_as_new_until_its_first_attempt_and_as_a_failure_after_it() {
    all()
        .forEach(life -> {
          for (TaskEvent event : TaskEvent.values()) {
            life.after(event)
                .ifPresent(next -> {
                  assertThat(next.state() == TaskState.NEW && next.attempt() > 0).isFalse();
                  assertThat(next.state() == TaskState.RETRIABLE_FAILURE && next.attempt() == 0)
                      .isFalse();
                });
          }
        });
  }
}
