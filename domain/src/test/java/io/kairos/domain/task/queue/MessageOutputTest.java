package io.kairos.domain.task.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageOutputTest {
  static Stream<Arguments> labels() {
    return Stream.of(
        Arguments.of(new TopicName("orders"), "orders"),
        Arguments.of(new TopicName("task"), "task"),
        Arguments.of(new HandlerName("a:b/c"), "task:a:b/c"),
        Arguments.of(new HandlerName("pool"), "task:pool"),
        Arguments.of(new HandlerName("task:x"), "task:task:x"),
        Arguments.of(new PoolName("billing"), "task:pool:billing"));
  }

  @ParameterizedTest
  @MethodSource("labels")
  void an_output_is_what_its_label_says(MessageOutput output, String label) {
    assertThat(output.label()).isEqualTo(label);
    assertThat(MessageOutput.ofLabel(label)).isEqualTo(output);
  }

  @Test
  void a_pool_and_a_handler_are_told_apart_by_their_wire_names() {
    assertThat(new PoolName("billing").wireName()).isEqualTo("pool:billing");
    assertThat(TaskHandler.ofWireName("pool:billing")).isEqualTo(new PoolName("billing"));
    assertThat(TaskHandler.ofWireName("billing")).isEqualTo(new HandlerName("billing"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pool:", "pool:a/b", "pool:pool:a", "", "a b"})
  void what_names_neither_a_handler_nor_a_pool_is_refused(String text) {
    assertThatThrownBy(() -> TaskHandler.ofWireName(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pool:billing", "pool:"})
  void no_handler_has_the_name_of_a_pool(String text) {
    assertThatThrownBy(() -> new HandlerName(text))
        .hasMessageContaining("must not begin with pool:");
  }
}
