package io.kairos.client.jackson3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.client.TaskType;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.task.PayloadFormatException;
import io.kairos.client.task.TaskResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

class JacksonCodecTest {
  private static final String SECRET = "4111-1111";

  record Line(String article, int quantity) {
    Line {
      if (quantity < 0) {
        throw new IllegalArgumentException("the quantity of " + SECRET + " is negative");
      }
    }
  }

  record Order(String customer, List<Line> lines) {}

  private static final JacksonCodec<Order> ORDERS = JacksonCodec.of(Order.class);

  @Test
  void a_record_is_json_and_comes_back_as_it_was() {
    Order order = new Order("Grün", List.of(new Line("tea", 2)));

    byte[] bytes = ORDERS.encode(order);

    assertThat(new String(bytes, UTF_8))
        .isEqualTo("{\"customer\":\"Grün\",\"lines\":[{\"article\":\"tea\",\"quantity\":2}]}");
    assertThat(ORDERS.decode(bytes)).isEqualTo(order);
    assertThat(TaskResult.of(ORDERS, order).contentType()).isEqualTo("application/json");
    assertThat(TaskType.of("order", ORDERS).task(order).build().target()).isEqualTo("order");
  }

  @Test
  void generic_types_are_named_by_a_type_reference() {
    JacksonCodec<List<Line>> lines =
        JacksonCodec.of(JsonMapper.builder().build(), new TypeReference<List<Line>>() {});

    assertThat(lines.decode("[{\"article\":\"tea\",\"quantity\":2}]".getBytes(UTF_8)))
        .containsExactly(new Line("tea", 2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"lines\":[{\"quantity\":\"4111-1111\"}]} | expected int at $.lines[0].quantity in line 1",
        "{\"lines\":[{\"quantity\":-1,\"article\":\"4111-1111\"}]} | (java.lang.IllegalArgumentException)",
        "{\"lines\":\"4111-1111\"} | at $.lines in line 1",
        "{\"customer\":4111-1111} | in line 1",
        "{} {\"customer\":\"4111-1111\"} | Order cannot be read from JSON",
        "`` | Order cannot be read from JSON",
        "null | Order cannot be read from JSON: null"
      })
  void bytes_that_are_no_such_value_are_refused_with_type_and_place_and_without_values(
      String json, String told) {
    PayloadFormatException refused =
        catchThrowableOfType(
            PayloadFormatException.class, () -> ORDERS.decode(json.getBytes(UTF_8)));

    assertThat(refused.isOfThisProcess()).isFalse();
    assertThat(refused)
        .hasMessageStartingWith(Order.class.getName() + " cannot be read from JSON: ")
        .hasMessageContaining(told)
        .hasMessageNotContaining("4111")
        .hasNoCause();
    assertThat(refused.errorClass()).isNotEmpty();
  }

  /** Something that cannot be written. */
  record Failing(String name) {
    @SuppressWarnings("DoNotCallSuggester") // Jackson does
    public int getOpaque() {
      throw new IllegalStateException(name + SECRET);
    }
  }

  @Test
  void a_value_that_cannot_be_written_is_refused_with_type_and_place() {
    PayloadFormatException refused =
        catchThrowableOfType(
            PayloadFormatException.class,
            () -> JacksonCodec.of(Failing.class).encode(new Failing("x")));

    assertThat(refused)
        .hasMessageStartingWith(Failing.class.getName() + " cannot be written as JSON: at $.opaque")
        .hasMessageNotContaining(SECRET);
    assertThat(refused.errorClass()).isEqualTo(IllegalStateException.class.getName());
  }

  /** Says itself how the attempt ends. */
  record Choosy(int version) {
    Choosy {
      if (version == 1) {
        throw new RetryLater("version 1");
      }
      if (version == 2) {
        throw new FatalFailure("version 2");
      }
      throw new NoClassDefFoundError("of this worker");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, io.kairos.client.handler.RetryLater",
    "2, io.kairos.client.handler.FatalFailure",
    "3, java.lang.NoClassDefFoundError"
  })
  void what_a_constructor_says_of_the_attempt_comes_out(int version, Class<Throwable> thrown) {
    byte[] json = "{\"choosy\":{\"version\":%d}}".formatted(version).getBytes(UTF_8);

    assertThatThrownBy(() -> JacksonCodec.of(Within.class).decode(json)).isInstanceOf(thrown);
  }

  /** Has the failing constructor inside, so that it is wrapped more than once. */
  record Within(Choosy choosy) {}

  /** No mapper knows what to make of it. */
  interface Abstract {}

  /** Cannot be read, whatever the payload is. */
  record Unreadable(Abstract part) {}

  @Test
  void a_class_that_this_worker_cannot_read_is_left_to_another() {
    byte[] json = "{\"part\":{\"card\":\"4111-1111\"}}".getBytes(UTF_8);

    PayloadFormatException refused =
        catchThrowableOfType(
            PayloadFormatException.class, () -> JacksonCodec.of(Unreadable.class).decode(json));

    assertThat(refused.isOfThisProcess()).isTrue();
    assertThat(refused).hasMessageContaining("at $.part").hasMessageNotContaining("4111");
  }
}
