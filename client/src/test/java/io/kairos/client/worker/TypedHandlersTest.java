package io.kairos.client.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.kairos.api.v1.Result;
import io.kairos.client.ResultTaskType;
import io.kairos.client.TaskType;
import io.kairos.client.handler.Handler;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.PayloadFormatException;
import io.kairos.client.time.ManualTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TypedHandlersTest {
  private static final PayloadCodec<Integer> NUMBER =
      PayloadCodec.of(
          number -> {
            if (number < 0) {
              throw new PayloadFormatException("no natural number", "some.Writer");
            }
            return PayloadCodec.utf8().encode(number.toString());
          },
          bytes -> {
            switch (bytes.length) {
              case 0 -> throw new PayloadFormatException("no number, at byte 0", "some.Parser");
              case 9 -> throw new RetryLater("a newer worker knows this form");
              default -> {
                return Integer.valueOf(PayloadCodec.utf8().decode(bytes));
              }
            }
          });
  private static final TaskType<Integer> NOTE = TaskType.of("h", NUMBER);
  private static final ResultTaskType<Integer, Integer> SQUARE = NOTE.returning(NUMBER);

  private final ManualTime time = new ManualTime();
  private final ScriptedNode node = new ScriptedNode();
  private final Worker worker =
      Worker.builder(node.name)
          .transport(InProcessChannelBuilder::forName)
          .concurrency(1)
          .time(time)
          .build();

  @AfterEach
  void close() {
    node.close();
    CompletableFuture<Boolean> ended = worker.drain(Duration.ZERO);
    time.pass(Duration.ofMinutes(1));
    assertThat(ended).succeedsWithin(Duration.ofSeconds(20));
  }

  private Result resultOf(String payload) {
    worker.start();
    node.poll().give(Works.work(1).setPayload(ByteString.copyFromUtf8(payload)).build());
    return node.result();
  }

  @Test
  void a_typed_handler_gets_its_payload_and_its_value_is_reported() {
    worker.handle(SQUARE, (number, context) -> number * number);

    assertThat(resultOf("7").getSuccess().getResult().getValue().toStringUtf8()).isEqualTo("49");
  }

  @Test
  void a_typed_handler_without_a_value_reports_success() {
    CompletableFuture<Integer> seen = new CompletableFuture<>();
    worker.handle(NOTE, (number, context) -> seen.complete(number));

    assertThat(resultOf("7").getSuccess().hasResult()).isFalse();
    assertThat(seen).isCompletedWithValue(7);
  }

  @Test
  void a_payload_that_does_not_parse_fails_for_good_with_type_and_place() {
    worker.handle(NOTE, (number, context) -> {});

    Result.Fatal fatal = resultOf("").getFatal();

    assertThat(fatal.getError()).isEqualTo("the payload cannot be decoded: no number, at byte 0");
    assertThat(fatal.getErrorClass()).isEqualTo("some.Parser");
  }

  @Test
  void an_exception_of_any_other_codec_fails_the_task_for_good_as_well() {
    worker.handle(NOTE, (number, context) -> {});

    Result.Fatal fatal = resultOf("x").getFatal();

    assertThat(fatal.getError()).contains("cannot be decoded", "NumberFormatException");
    assertThat(fatal.getErrorClass()).isEqualTo(NumberFormatException.class.getName());
  }

  @Test
  void a_codec_may_say_that_the_task_is_to_be_retried() {
    worker.handle(NOTE, (number, context) -> {});

    assertThat(resultOf("123456789").getRetryLater().getError())
        .isEqualTo("a newer worker knows this form");
  }

  @Test
  void a_value_that_cannot_be_written_fails_for_good_because_the_effect_has_happened() {
    worker.handle(SQUARE, (number, context) -> -number);

    Result.Fatal fatal = resultOf("7").getFatal();

    assertThat(fatal.getError())
        .isEqualTo("performed, but its result cannot be encoded: no natural number");
    assertThat(fatal.getErrorClass()).isEqualTo("some.Writer");
  }

  /** A handler with a class of its own. */
  private static final class Noting implements Handler<Integer> {
    @Override
    public void handle(Integer number, TaskContext context) {}
  }

  @Test
  void two_handlers_of_one_name_are_refused_by_a_message_that_names_both() {
    worker.handle(NOTE, new Noting());

    assertThatThrownBy(() -> worker.handle(SQUARE, (number, context) -> number))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the handler h is registered already, as %s: a lambda in %s needs another name"
                .formatted(Noting.class.getName(), TypedHandlersTest.class.getName()));
  }
}
