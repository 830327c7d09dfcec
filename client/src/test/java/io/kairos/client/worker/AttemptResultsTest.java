package io.kairos.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.v1.Result;
import io.kairos.api.v1.Work;
import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.NotBegun;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.Snooze;
import io.kairos.client.task.TaskResult;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AttemptResultsTest {
  private static final Work WORK = Works.work(1).setFence(9).build();

  private static final AttemptResults.Reporting PLAIN =
      new AttemptResults.Reporting(ErrorRedaction.NONE, MessageEncryption.NONE);

  private static Result of(@Nullable CancelReason reason, @Nullable Throwable thrown) {
    return AttemptResults.of(WORK, reason, thrown, null, PLAIN);
  }

  @Test // PD-35
  void da12_a_normal_return_is_success_and_carries_the_fence() {
    Result result = of(null, null);

    assertThat(result.hasSuccess()).isTrue();
    assertThat(result.getId()).isEqualTo(WORK.getId());
    assertThat(result.getFence()).isEqualTo(9);
  }

  @Test
  void da20_every_other_exception_is_tried_again_with_its_text() {
    Result result = of(null, new IOException("disk", new IllegalStateException("full")));

    assertThat(result.getRetryLater().getError())
        .isEqualTo("java.io.IOException: disk <- java.lang.IllegalStateException: full");
    assertThat(result.getRetryLater().hasDelay()).isFalse();
  }

  @Test // PD-36
  void the_class_of_an_exception_goes_with_its_text_and_of_ours_that_of_the_cause() {
    IOException disk = new IOException("disk");
    String name = "java.io.IOException";

    assertThat(of(null, disk).getRetryLater().getErrorClass()).isEqualTo(name);
    assertThat(of(null, new FatalFailure("no", disk)).getFatal().getErrorClass()).isEqualTo(name);
    assertThat(of(null, new RetryLater("busy")).getRetryLater().getErrorClass())
        .isEqualTo(RetryLater.class.getName());
    assertThat(of(CancelReason.EXECUTION_TIMEOUT, null).getRetryLater().getErrorClass())
        .isEqualTo("execution timeout");
  }

  @Test // PD-36
  void a_class_that_a_handler_gives_goes_before_those_of_exceptions_and_may_be_empty() {
    IOException disk = new IOException("disk");

    assertThat(of(null, new FatalFailure("no", disk, "E1")).getFatal().getErrorClass())
        .isEqualTo("E1");
    assertThat(of(null, new RetryLater("no", null, null, "")).getRetryLater().getErrorClass())
        .isEmpty();
  }

  @Test
  void a_value_goes_with_a_success_and_only_with_it() {
    TaskResult value = TaskResult.text("42");

    Result.Success success = AttemptResults.of(WORK, null, null, value, PLAIN).getSuccess();

    assertThat(success.getResult().getValue().toStringUtf8()).isEqualTo("42");
    assertThat(success.getResult().getContentType()).isEqualTo("text/plain; charset=utf-8");
    assertThat(of(null, null).getSuccess().hasResult()).isFalse();
    assertThat(AttemptResults.of(WORK, null, new RetryLater("x"), value, PLAIN).hasRetryLater())
        .isTrue();
  }

  @Test
  void an_exception_has_its_stack_with_those_of_its_causes_and_ours_only_those_of_their_causes() {
    Exception full = new IllegalStateException("full");

    String stack = of(null, new IOException("disk", full)).getRetryLater().getStack();

    assertThat(stack)
        .startsWith("java.io.IOException: disk\n\tat io.kairos.client.worker.AttemptResultsTest")
        .contains("\nCaused by: java.lang.IllegalStateException: full\n\tat ");
    assertThat(of(null, new RetryLater("busy")).getRetryLater().getStack()).isEmpty();
    assertThat(of(null, new FatalFailure("no", full)).getFatal().getStack())
        .startsWith("java.lang.IllegalStateException: full\n\tat ");
    assertThat(of(null, new FatalFailure("no", null, "E", "at x")).getFatal().getStack())
        .isEqualTo("at x");
  }

  @Test
  void a_stack_has_a_bound_also_when_exceptions_cause_each_other() {
    Exception one = new IOException("x".repeat(5_000));
    Exception other = new IOException("y".repeat(5_000), one);
    one.initCause(other);

    assertThat(of(null, one).getRetryLater().getStack()).hasSize(8_000);
  }

  @Test
  void errors_are_redacted_before_they_are_reported_and_withheld_when_that_fails() {
    ErrorRedaction redaction =
        error ->
            new ErrorRedaction.ReportedError(
                error.handler(), error.errorClass(), error.message().replace("Anna", "?"), "");
    AttemptResults.Reporting redacting =
        new AttemptResults.Reporting(redaction, MessageEncryption.NONE);
    AttemptResults.Reporting failing =
        new AttemptResults.Reporting(
            error -> {
              throw new IllegalStateException();
            },
            MessageEncryption.NONE);

    Result.RetryLater later =
        AttemptResults.of(WORK, null, new IOException("of Anna"), null, redacting).getRetryLater();

    assertThat(later.getError()).isEqualTo("java.io.IOException: of ?");
    assertThat(later.getErrorClass()).isEqualTo("java.io.IOException");
    assertThat(later.getStack()).isEmpty();
    assertThat(
            AttemptResults.of(WORK, null, new IOException("of Anna"), null, failing)
                .getRetryLater()
                .getError())
        .startsWith("the error is withheld")
        .doesNotContain("Anna");
  }

  @Test
  void da12_a_handler_asks_for_another_attempt() {
    Result.RetryLater later =
        of(null, new RetryLater("busy", Duration.ofMillis(1_500))).getRetryLater();

    assertThat(later.getError()).isEqualTo("busy");
    assertThat(later.getDelay())
        .isEqualTo(
            com.google.protobuf.Duration.newBuilder().setSeconds(1).setNanos(500_000_000).build());
    assertThat(of(null, new RetryLater("busy")).getRetryLater().hasDelay()).isFalse();
  }

  @Test
  void what_a_handler_has_not_begun_goes_back() {
    Result result = of(null, new NotBegun("nobody is there"));

    assertThat(result.hasNotBegun()).isTrue();
    assertThat(result.getFence()).isEqualTo(9);
    assertThat(AttemptResults.endingOf(result)).isEqualTo(AttemptEnding.NOT_BEGUN);
  }

  @Test
  void a_handler_puts_its_task_off_without_a_failure() {
    Result result = of(null, new Snooze(Duration.ofMinutes(10)));

    assertThat(result.getSnoozed().getDelay().getSeconds()).isEqualTo(600);
    assertThat(AttemptResults.endingOf(result)).isEqualTo(AttemptEnding.SNOOZED);
    assertThat(of(null, new Snooze(Duration.ofDays(9_999))).getSnoozed().getDelay().getSeconds())
        .isEqualTo(Duration.ofDays(365).toSeconds());
    assertThat(of(CancelReason.EXECUTION_TIMEOUT, new Snooze(Duration.ZERO)).hasRetryLater())
        .isTrue();
  }

  @Test
  void a_delay_that_a_node_would_refuse_is_cut() {
    assertThat(
            of(null, new RetryLater("x", Duration.ofSeconds(-1)))
                .getRetryLater()
                .getDelay()
                .getSeconds())
        .isZero();
    assertThat(
            of(null, new RetryLater("x", Duration.ofDays(9_999)))
                .getRetryLater()
                .getDelay()
                .getSeconds())
        .isEqualTo(Duration.ofDays(365).toSeconds());
  }

  @Test
  void da12_a_handler_says_that_no_other_attempt_will_help() {
    assertThat(of(null, new FatalFailure("no such user")).getFatal().getError())
        .isEqualTo("no such user");
  }

  @Test
  void a_requested_cancel_counts_when_the_handler_gives_in() {
    assertThat(of(CancelReason.CANCEL_REQUESTED, new InterruptedException()).hasCancelled())
        .isTrue();
    assertThat(of(CancelReason.CANCEL_REQUESTED, new CancellationException()).hasCancelled())
        .isTrue();
    assertThat(of(CancelReason.CANCEL_REQUESTED, null).hasSuccess()).isTrue();
    assertThat(of(CancelReason.CANCEL_REQUESTED, new FatalFailure("x")).hasFatal()).isTrue();
    assertThat(of(null, new CancellationException()).hasRetryLater()).isTrue();
  }

  @Test
  void an_execution_timeout_is_a_failure_however_the_handler_ended() {
    assertThat(of(CancelReason.EXECUTION_TIMEOUT, null).getRetryLater().getError())
        .isEqualTo("execution timeout");
    assertThat(
            of(CancelReason.EXECUTION_TIMEOUT, new InterruptedException())
                .getRetryLater()
                .getError())
        .isEqualTo("execution timeout");
  }

  @Test
  void what_a_stopping_worker_interrupts_is_tried_again_at_once() {
    Result.RetryLater later = of(CancelReason.SHUTDOWN, new InterruptedException()).getRetryLater();

    assertThat(later.hasDelay()).isTrue();
    assertThat(later.getDelay().getSeconds()).isZero();
  }

  @Test
  void texts_are_cut_to_two_thousand_characters_but_no_character_in_two() {
    String text = of(null, new FatalFailure("x".repeat(1_999) + "🕰")).getFatal().getError();

    assertThat(text).isEqualTo("x".repeat(1_999));
  }

  @Test
  void endings_are_named_for_listeners() {
    assertThat(AttemptResults.endingOf(of(null, null))).isEqualTo(AttemptEnding.SUCCEEDED);
    assertThat(AttemptResults.endingOf(of(null, new FatalFailure("x"))))
        .isEqualTo(AttemptEnding.FATAL);
    assertThat(AttemptResults.endingOf(of(null, new RetryLater("x"))))
        .isEqualTo(AttemptEnding.RETRY_LATER);
    assertThat(AttemptResults.endingOf(AttemptResults.cancelled(WORK)))
        .isEqualTo(AttemptEnding.CANCELLED);
  }
}
