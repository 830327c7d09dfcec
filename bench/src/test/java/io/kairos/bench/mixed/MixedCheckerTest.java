package io.kairos.bench.mixed;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.mixed.MixedChecker.Rule;
import io.kairos.bench.mixed.MixedEvent.Kind;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MixedCheckerTest {
  private static final long SECOND = 1_000_000;
  private static final long DUE = 100 * SECOND;
  private static final long ONE = 4711;
  private static final long OTHER = 4712;
  private static final String TASK = "task-1";

  private final MixedChecker checker = new MixedChecker();

  MixedCheckerTest() {
    saw(Kind.PART, 0, "42");
  }

  @Test
  void what_is_asked_and_comes_once_breaks_no_rule() {
    accepted("message/1", null);
    accepted("grpc/1", null);
    arrived(DUE, "message/1", null);
    performed("grpc/1", TASK);
    asked(Kind.PLANNED, "cron-pool/100000", null);
    arrived(DUE, "cron-pool/100000", "run-1");

    assertThat(brokenWhenComplete()).isEmpty();
    assertThat(verdict().isClean()).isTrue();
    assertThat(checker.seed()).hasValue(42);
  }

  @Test
  void a_kind_of_fault_that_was_left_out_fails_the_run() {
    accepted("message/1", null);
    arrived(DUE, "message/1", null);
    accepted("grpc/1", null);
    performed("grpc/1", TASK);
    saw(Kind.SKIPPED, 0, "clock-ahead");

    assertThat(brokenWhenComplete()).isEmpty();
    assertThat(verdict().problems()).contains("a kind of fault was left out");
  }

  @Test
  void what_was_accepted_and_never_came_is_lost() {
    accepted("message/1", null);
    asked(Kind.PLANNED, "cron-topic/100000", null);
    accepted("grpc/1", null);
    execution(Kind.BEGAN, DUE, "grpc/1", TASK, 1, ONE);
    execution(Kind.BROKEN_OFF, DUE, "grpc/1", TASK, 1, ONE);

    assertThat(checker.overdue(DUE)).isZero();
    assertThat(checker.overdue(DUE + 1)).isEqualTo(3);
    assertThat(brokenWhenComplete()).containsExactly(Rule.LOST);
    assertThat(checker.broken(Rule.LOST)).isEqualTo(3);
    assertThat(verdict().problems()).contains("lost: 3");
  }

  @Test
  void what_may_not_have_been_accepted_is_not_lost_and_may_come() {
    asked(Kind.INVOKED, "rest/1", null);
    saw(Kind.UNCERTAIN, 0, "rest/1");
    asked(Kind.INVOKED, "rest/2", null);
    saw(Kind.UNCERTAIN, 0, "rest/2");
    performed("rest/2", TASK);

    assertThat(brokenWhenComplete()).isEmpty();
  }

  @Test
  void what_comes_before_its_due_time_is_early() {
    accepted("message/1", null);
    arrived(DUE - 6_000, "message/1", null);
    accepted("message/2", null);
    arrived(DUE - 4_000, "message/2", null); // as precise as clocks are read
    accepted("grpc/1", null);
    execution(Kind.BEGAN, DUE - 6_000, "grpc/1", TASK, 1, ONE);
    execution(Kind.ENDED, DUE, "grpc/1", TASK, 1, ONE);

    assertThat(brokenWhenComplete()).containsExactly(Rule.EARLY);
    assertThat(checker.broken(Rule.EARLY)).isEqualTo(2);
  }

  @Test
  void a_repeat_under_the_same_id_is_counted() {
    accepted("grpc/1", null);
    performed("grpc/1", TASK);
    performed("grpc/1", TASK);

    assertThat(brokenWhenComplete()).isEmpty();
    FigureList figures = new FigureList();
    checker.report(figures);
    assertThat(String.valueOf(figures.data().get("doors")))
        .contains("door=grpc")
        .contains("repeats=1");
  }

  @Test
  void a_submission_that_became_two_tasks_breaks_a_rule() {
    accepted("grpc/1", null);
    performed("grpc/1", TASK);
    performed("grpc/1", "task-2");

    assertThat(brokenWhenComplete()).containsExactly(Rule.TWICE);
  }

  @Test
  void a_fire_time_with_two_execution_ids_breaks_a_rule() {
    asked(Kind.PLANNED, "cron-topic/100000", null);
    arrived(DUE, "cron-topic/100000", "run-1");
    arrived(DUE, "cron-topic/100000", "run-2");

    assertThat(brokenWhenComplete()).containsExactly(Rule.TWICE);
  }

  @Test
  void an_execution_beside_one_that_is_not_over_overlaps() {
    accepted("grpc/1", null);
    execution(Kind.BEGAN, DUE, "grpc/1", TASK, 1, ONE);
    execution(Kind.BEGAN, DUE, "grpc/1", TASK, 2, OTHER);
    execution(Kind.ENDED, DUE, "grpc/1", TASK, 2, OTHER);
    execution(Kind.ENDED, DUE, "grpc/1", TASK, 1, ONE);

    assertThat(brokenWhenComplete()).containsExactly(Rule.OVERLAPPING);
  }

  @Test
  void an_execution_after_one_that_was_broken_off_or_killed_does_not_overlap() {
    accepted("grpc/1", null);
    execution(Kind.BEGAN, DUE, "grpc/1", TASK, 1, ONE);
    execution(Kind.BROKEN_OFF, DUE, "grpc/1", TASK, 1, ONE);
    execution(Kind.BEGAN, DUE, "grpc/1", TASK, 2, OTHER);
    process(Kind.GONE, DUE, OTHER);
    performed("grpc/1", TASK);

    assertThat(brokenWhenComplete()).isEmpty();
  }

  /** The run looks for workers that have ended by themselves after each fault. */
  @Test
  void an_execution_of_a_worker_that_had_ended_does_not_overlap_when_that_is_told_later() {
    accepted("grpc/1", null);
    execution(Kind.BEGAN, DUE, "grpc/1", TASK, 1, ONE);
    execution(Kind.BEGAN, DUE + 4 * SECOND, "grpc/1", TASK, 2, OTHER);
    execution(Kind.ENDED, DUE + 4 * SECOND, "grpc/1", TASK, 2, OTHER);
    process(Kind.GONE, DUE + 3 * SECOND, ONE);

    assertThat(brokenWhenComplete()).isEmpty();
  }

  @Test
  void an_execution_of_a_worker_that_ends_too_late_overlaps() {
    accepted("grpc/1", null);
    execution(Kind.BEGAN, DUE, "grpc/1", TASK, 1, ONE);
    execution(Kind.BEGAN, DUE + 4 * SECOND, "grpc/1", TASK, 2, OTHER);
    execution(Kind.ENDED, DUE + 4 * SECOND, "grpc/1", TASK, 2, OTHER);
    process(Kind.GONE, DUE + 5 * SECOND, ONE);

    assertThat(brokenWhenComplete()).containsExactly(Rule.OVERLAPPING);
  }

  @Test
  void an_execution_of_a_woken_worker_that_is_gone_only_long_after_overlaps() {
    stoppedWhilePerforming(DUE + 4 * SECOND);
    process(Kind.GONE, DUE + 9 * SECOND, ONE);

    assertThat(brokenWhenComplete()).containsExactly(Rule.OVERLAPPING);
  }

  @Test
  void an_execution_whose_worker_lost_its_lease_while_it_was_stopped_ends_soon_after_waking() {
    stoppedWhilePerforming(DUE + 4 * SECOND);
    execution(Kind.BROKEN_OFF, DUE + 7 * SECOND, "grpc/1", TASK, 1, ONE);

    assertThat(brokenWhenComplete()).isEmpty();
  }

  @Test
  void an_execution_that_goes_on_after_its_worker_was_woken_overlaps() {
    stoppedWhilePerforming(DUE + 4 * SECOND);
    execution(Kind.ENDED, DUE + 7 * SECOND + 1, "grpc/1", TASK, 1, ONE);

    assertThat(brokenWhenComplete()).containsExactly(Rule.OVERLAPPING);
  }

  @Test
  void an_execution_that_begins_while_a_stopped_worker_still_has_its_lease_overlaps() {
    stoppedWhilePerforming(DUE + 2 * SECOND);

    assertThat(brokenWhenComplete()).containsExactly(Rule.OVERLAPPING);
  }

  /**
   * One worker is stopped for six seconds from the due time on, and another one begins its task.
   */
  private void stoppedWhilePerforming(long beganElsewhere) {
    accepted("grpc/1", null);
    execution(Kind.BEGAN, DUE, "grpc/1", TASK, 1, ONE);
    process(Kind.FAULT, DUE, ONE);
    execution(Kind.BEGAN, beganElsewhere, "grpc/1", TASK, 2, OTHER);
    execution(Kind.ENDED, beganElsewhere, "grpc/1", TASK, 2, OTHER);
    process(Kind.OVER, DUE + 6 * SECOND, ONE);
  }

  @Test
  void tasks_of_a_key_that_are_performed_at_the_same_time_overlap() {
    accepted("keyed/1", "key-1");
    accepted("keyed/2", "key-1");
    execution(Kind.BEGAN, DUE, "keyed/1", TASK, 1, ONE);
    performed("keyed/2", "task-2");
    execution(Kind.ENDED, DUE, "keyed/1", TASK, 1, ONE);

    assertThat(brokenWhenComplete()).containsExactly(Rule.OVERLAPPING);
  }

  @Test
  void a_task_that_begins_after_a_later_one_of_its_key_is_out_of_order() {
    accepted("keyed/1", "key-1");
    accepted("keyed/2", "key-1");
    accepted("keyed/3", "key-2");
    performed("keyed/3", "task-3");
    performed("keyed/2", "task-2");
    performed("keyed/1", TASK);

    assertThat(brokenWhenComplete()).containsExactly(Rule.DISORDERED);
  }

  @Test
  void a_task_whose_acceptance_nobody_knows_may_come_after_a_later_one_of_its_key() {
    asked(Kind.INVOKED, "keyed/1", "key-1");
    saw(Kind.UNCERTAIN, 0, "keyed/1");
    accepted("keyed/2", "key-1");
    performed("keyed/2", "task-2");
    performed("keyed/1", TASK);

    assertThat(brokenWhenComplete()).isEmpty();
  }

  @Test
  void what_nobody_asked_for_or_what_was_refused_is_a_stray() {
    arrived(DUE, "message/9", null);
    asked(Kind.INVOKED, "sql/1", null);
    performed("sql/1", TASK);
    saw(Kind.REFUSED, DUE, "sql/1");

    assertThat(brokenWhenComplete()).containsExactly(Rule.STRAY);
    assertThat(checker.broken(Rule.STRAY)).isEqualTo(2);
  }

  @Test
  void a_problem_that_the_run_saw_fails_it() {
    saw(Kind.PROBLEM, DUE, "node-1 has ended by itself");

    assertThat(brokenWhenComplete()).containsExactly(Rule.PROBLEM);
  }

  @Test
  void a_part_without_its_last_line_is_incomplete() {
    checker.endPart();

    assertThat(broken()).containsExactly(Rule.INCOMPLETE);
  }

  @Test
  void ids_mean_nothing_in_the_next_part() {
    accepted("grpc/1", null);
    performed("grpc/1", TASK);
    assertThat(brokenWhenComplete()).isEmpty();

    accepted("grpc/1", null);

    assertThat(brokenWhenComplete()).containsExactly(Rule.LOST);
  }

  @Test
  void the_longest_pause_of_a_door_counts_for_the_fault_before_it() {
    saw(Kind.FAULT, DUE, "broker-kill");
    for (int at : new int[] {0, 1, 8, 9}) {
      accepted("message/" + at, null);
      arrived(DUE + at * SECOND, "message/" + at, null);
    }
    saw(Kind.OVER, DUE + 9 * SECOND, "broker-kill");
    saw(Kind.SETTLED, DUE + 12 * SECOND, "broker-kill");

    assertThat(brokenWhenComplete()).isEmpty();
    FigureList figures = new FigureList();
    checker.report(figures);
    assertThat(figures.number("longestPauseMillis")).isEqualTo(7_000);
    assertThat(String.valueOf(figures.data().get("faults")))
        .contains("fault=broker-kill", "count=1", "pauseMillis=7000", "recoveryMillis=3000");
  }

  private void accepted(String id, @Nullable String key) {
    asked(Kind.INVOKED, id, key);
    saw(Kind.ACKNOWLEDGED, 0, id);
  }

  private void asked(Kind kind, String id, @Nullable String key) {
    checker.saw(new MixedEvent(kind, 0, id, DUE, key, null, null, null));
  }

  private void arrived(long at, String id, @Nullable String execution) {
    checker.saw(new MixedEvent(Kind.ARRIVED, at, id, null, null, execution, null, null));
  }

  private void performed(String id, String task) {
    execution(Kind.BEGAN, DUE, id, task, 9, ONE);
    execution(Kind.ENDED, DUE, id, task, 9, ONE);
  }

  private void execution(Kind kind, long at, String id, String task, long fence, long pid) {
    checker.saw(new MixedEvent(kind, at, id, null, null, task, fence, pid));
  }

  private void process(Kind kind, long at, long pid) {
    checker.saw(new MixedEvent(kind, at, "worker", null, null, null, null, pid));
  }

  private void saw(Kind kind, long at, String id) {
    checker.saw(new MixedEvent(kind, at, id, null, null, null, null, null));
  }

  private List<Rule> brokenWhenComplete() {
    saw(Kind.COMPLETE, 0, "");
    checker.endPart();
    return broken();
  }

  private List<Rule> broken() {
    return Arrays.stream(Rule.values()).filter(rule -> checker.broken(rule) > 0).toList();
  }

  private RunVerdict verdict() {
    RunVerdict verdict = new RunVerdict();
    checker.judge(verdict);
    return verdict;
  }
}
