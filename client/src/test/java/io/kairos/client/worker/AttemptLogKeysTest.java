package io.kairos.client.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.handler.Handler;
import io.kairos.client.handler.HandlerInterceptor;
import io.kairos.client.handler.HandlerOptions;
import io.kairos.client.task.PayloadCodec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class AttemptLogKeysTest {
  private final List<String> seen = new ArrayList<>();

  @AfterEach
  void clear() {
    MDC.clear();
  }

  private static void perform(Handler<byte[]> handler) throws Exception {
    HandlerRegistration<byte[]> registration =
        new HandlerRegistration<>(
            "resize",
            "here",
            PayloadCodec.bytes(),
            handler,
            HandlerOptions.DEFAULT,
            HandlerInterceptor.NONE);
    HandlerRun run =
        new HandlerRun(
            Works.work(7).setAttempt(3).build(),
            registration,
            "w1",
            () -> 0,
            MessageEncryption.NONE);
    registration.perform(new byte[0], MessageEncryption.NONE, run);
  }

  @Test
  void the_log_of_a_handler_has_the_keys_of_its_attempt() throws Exception {
    MDC.put("order", "42");

    perform((payload, context) ->
        seen.addAll(
            List.of(
                MDC.get("kairos.task.id"),
                MDC.get("kairos.handler"),
                MDC.get("kairos.attempt"),
                MDC.get("order"))));

    assertThat(seen).containsExactly(Works.id(7), "resize", "3", "42");
    assertThat(MDC.getCopyOfContextMap()).containsOnlyKeys("order");
  }

  @Test
  void a_handler_that_fails_leaves_no_keys_and_what_the_thread_had_returns() {
    MDC.put("kairos.handler", "the application's");

    assertThatThrownBy(() ->
            perform((payload, context) -> {
              throw new IllegalStateException();
            }))
        .isInstanceOf(IllegalStateException.class);

    assertThat(MDC.get("kairos.handler")).isEqualTo("the application's");
    assertThat(MDC.get("kairos.task.id")).isNull();
  }
}
