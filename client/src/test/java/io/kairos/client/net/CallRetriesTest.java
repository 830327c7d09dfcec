package io.kairos.client.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CallRetriesTest {
  private final CallRetries retries = new CallRetries(4, 1, new Random(1));

  @Test
  void what_may_have_happened_is_repeated_only_where_twice_is_as_good_as_once() {
    CallRefusal lost = refusal(Status.UNAVAILABLE, null);

    assertThat(retries.after(lost, 1, true)).isPresent();
    assertThat(retries.after(lost, 1, false)).isEmpty();
  }

  @Test
  void what_has_not_happened_is_always_repeated() {
    CallRefusal refused =
        GrpcRefusal.of(Status.UNAVAILABLE.withCause(new ConnectException()).asException());

    assertThat(refused.nothingDone()).isTrue();
    assertThat(retries.after(refused, 1, false)).isPresent();
    assertThat(retries.after(nothingDone(Status.RESOURCE_EXHAUSTED, null), 1, false)).isPresent();
  }

  @Test
  void an_invitation_to_ask_again_does_not_say_that_nothing_has_happened() {
    CallRefusal invited = refusal(Status.UNAVAILABLE, Duration.ofMillis(1));

    assertThat(retries.after(invited, 1, false)).isEmpty();
    assertThat(retries.after(invited, 1, true)).isPresent();
  }

  @Test
  void a_message_that_is_too_large_stays_too_large() {
    assertThat(retries.after(refusal(Status.RESOURCE_EXHAUSTED, null), 1, true)).isEmpty();
  }

  @Test
  void other_failures_are_the_answer() {
    for (Status status :
        List.of(
            Status.INVALID_ARGUMENT,
            Status.DEADLINE_EXCEEDED,
            Status.NOT_FOUND,
            Status.INTERNAL,
            Status.PERMISSION_DENIED)) {
      assertThat(retries.after(refusal(status, null), 1, true)).as(status.toString()).isEmpty();
    }
  }

  @Test
  void the_pause_grows_and_the_tries_are_bounded() {
    CallRefusal lost = refusal(Status.UNAVAILABLE, null);

    for (int attempt = 1; attempt < 4; attempt++) {
      long most = 50L << (attempt - 1);
      assertThat(retries.after(lost, attempt, true).orElseThrow())
          .isBetween(Duration.ofMillis(most / 2), Duration.ofMillis(most));
    }
    assertThat(retries.after(lost, 4, true)).isEmpty();
  }

  @Test
  void no_call_comes_back_before_the_node_asked_for_but_nobody_waits_for_ever() {
    assertThat(
            retries.after(nothingDone(Status.RESOURCE_EXHAUSTED, Duration.ofSeconds(3)), 1, false))
        .contains(Duration.ofSeconds(3));
    assertThat(retries.after(nothingDone(Status.RESOURCE_EXHAUSTED, Duration.ofHours(1)), 1, false))
        .isEmpty();
  }

  @Test
  void while_a_node_is_untried_a_call_that_a_node_did_not_take_goes_on_at_once() {
    CallRetries withThree = new CallRetries(6, 3, new Random(1));
    CallRefusal refused = nothingDone(Status.UNAVAILABLE, Duration.ofMillis(9));

    assertThat(withThree.after(refused, 1, false)).contains(Duration.ZERO);
    assertThat(withThree.after(refused, 2, false)).contains(Duration.ZERO);
    assertThat(withThree.after(refused, 3, false).orElseThrow()).isPositive();
  }

  private static CallRefusal nothingDone(Status status, @Nullable Duration retryAfter) {
    return refusal(status, retryAfter, true);
  }

  private static CallRefusal refusal(Status status, @Nullable Duration retryAfter) {
    return refusal(status, retryAfter, false);
  }

  private static CallRefusal refusal(
      Status status, @Nullable Duration retryAfter, boolean nothingDone) {
    return new CallRefusal(
        CallRefusal.Code.ofNumber(status.getCode().value()),
        null,
        null,
        List.of(),
        retryAfter,
        nothingDone,
        Map.of());
  }
}
