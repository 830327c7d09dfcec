package io.kairos.edge.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.util.SafeCloseable;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Status;
import io.kairos.edge.call.SharedAnswer.Keeping;
import io.kairos.engine.task.edge.AnswerCallback;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedAnswerTest {
  private static final String REFUSED = "refused";

  private final Queue<Supplier<String>> computations = new ConcurrentLinkedQueue<>();
  private volatile Instant now = Instant.parse("2026-03-04T05:06:07Z");
  private final SharedAnswer<String> shared =
      new SharedAnswer<>(
          new StoreCalls(),
          () -> now,
          () -> computations.remove().get(),
          Keeping.<String>fiveSeconds().whileRenewed(Duration.ofMinutes(1)));

  @Test
  void a_good_answer_is_given_while_the_next_is_computed_after_a_failed_attempt_as_well()
      throws Exception {
    computations.add(() -> "good");
    assertThat(said()).isEqualTo("good");
    now = now.plusSeconds(10);
    renewalFails(Status.UNAVAILABLE);
    assertThat(said()).as("kept for a second").isEqualTo(REFUSED);

    now = now.plusSeconds(2);
    CompletableFuture<String> next = new CompletableFuture<>();
    computations.add(next::join);

    assertThat(said()).isEqualTo("good");
    next.complete("better");
    until("better");
  }

  @Test
  void a_refusal_because_the_caller_asks_too_much_is_not_kept() throws Exception {
    computations.add(() -> "good");
    assertThat(said()).isEqualTo("good");
    now = now.plusSeconds(10);
    CompletableFuture<String> next = new CompletableFuture<>();
    computations.add(() -> {
      throw Status.RESOURCE_EXHAUSTED.asRuntimeException();
    });
    computations.add(next::join);

    while (!computations.isEmpty()) {
      assertThat(said()).isEqualTo("good");
    }
    next.complete("better");
    until("better");
  }

  private void renewalFails(Status status) throws Exception {
    computations.add(() -> {
      throw status.asRuntimeException();
    });
    until(REFUSED);
  }

  private void until(String expected) throws Exception {
    for (String said = said(); !said.equals(expected); said = said()) {
      assertThat(said).isEqualTo("good");
    }
  }

  private String said() throws Exception {
    CompletableFuture<String> answer = new CompletableFuture<>();
    try (SafeCloseable _ = ServiceRequestContext.of(HttpRequest.of(HttpMethod.GET, "/")).push()) {
      shared.to(AnswerCallback.of(answer::complete, _ -> answer.complete(REFUSED)));
    }
    return answer.get(30, TimeUnit.SECONDS);
  }
}
