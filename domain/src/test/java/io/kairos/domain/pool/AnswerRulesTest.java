package io.kairos.domain.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.pool.AnswerRules.Answer;
import io.kairos.domain.task.AttemptOutcome;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerRulesTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private static AttemptOutcome outcome(int status, String retryAfter) {
    return AnswerRules.outcome(
        new Answer(status, retryAfter.isEmpty() ? null : retryAfter, false, false, "why"), NOW);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 206, 299})
  void c6_only_a_2xx_is_success(int status) {
    assertThat(outcome(status, "")).isEqualTo(new AttemptOutcome.Succeeded("why"));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {100, 199, 300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 409, 422, 429, 500, 503})
  void ph30_everything_else_is_tried_again(int status) {
    assertThat(outcome(status, ""))
        .isEqualTo(new AttemptOutcome.RetryLater("HTTP " + status + ": why", "HTTP " + status));
  }

  @Test
  void a_receiver_that_is_gone_ends_the_task() {
    assertThat(outcome(410, "5")).isEqualTo(new AttemptOutcome.Failed("HTTP 410: why", "HTTP 410"));
  }

  @ParameterizedTest
  @CsvSource({
    "429, 7, 7",
    "503, 0, 0",
    "503, ' 120 ', 120",
    "500, 'Sun, 01 Mar 2026 12:01:40 GMT', 100",
    "503, 'Sun, 01 Mar 2026 11:00:00 GMT', 0",
    "503, 999999999, 31536000"
  })
  void retry_after_is_kept_to(int status, String header, long seconds) {
    assertThat(outcome(status, header))
        .isEqualTo(
            new AttemptOutcome.RetryAfter(
                "HTTP " + status + ": why", "HTTP " + status, Duration.ofSeconds(seconds)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "-1", "1.5", "9999999999", "Sun, 99 Mar 2026 12:00:00 GMT"})
  void a_retry_after_that_says_nothing_is_passed_over(String header) {
    assertThat(outcome(503, header)).isInstanceOf(AttemptOutcome.RetryLater.class);
  }

  @Test
  void an_answer_may_put_the_task_off_until_its_retry_after() {
    assertThat(AnswerRules.outcome(new Answer(503, "7", false, true, "why"), NOW))
        .isEqualTo(new AttemptOutcome.Snoozed(Duration.ofSeconds(7)));
    assertThat(AnswerRules.outcome(new Answer(429, null, false, true, "why"), NOW))
        .isInstanceOf(AttemptOutcome.RetryLater.class);
    assertThat(AnswerRules.outcome(new Answer(204, "7", false, true, ""), NOW))
        .isEqualTo(new AttemptOutcome.Succeeded());
  }

  @Test
  void an_answer_202_goes_on_only_when_it_says_so() {
    assertThat(new Answer(202, null, true, false, "").goesOn()).isTrue();
    assertThat(new Answer(202, null, false, false, "").goesOn()).isFalse();
    assertThat(new Answer(200, null, true, false, "").goesOn()).isFalse();
  }

  @Test
  void ph29_an_endpoint_is_ill_when_it_fails_and_not_when_it_refuses_or_puts_off() {
    assertThat(AnswerRules.isIll(new Answer(500, null, false, false, ""))).isTrue();
    assertThat(AnswerRules.isIll(new Answer(503, "5", false, false, ""))).isFalse();
    assertThat(AnswerRules.isIll(new Answer(404, null, false, false, ""))).isFalse();
    assertThat(AnswerRules.isIll(new Answer(200, null, false, false, ""))).isFalse();
  }

  @Test
  void a_long_answer_is_kept_in_part() {
    assertThat(new Answer(500, null, false, false, "x".repeat(5_000)).text()).hasSize(2_000);
  }
}
