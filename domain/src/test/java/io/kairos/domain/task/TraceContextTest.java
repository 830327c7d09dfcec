package io.kairos.domain.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TraceContextTest {
  private static final String IDS = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-";

  @Test
  void a_trace_context_names_the_trace_and_the_caller_s_span() {
    TraceContext context = new TraceContext(IDS + "01");

    assertThat(context.traceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    assertThat(context.spanId()).isEqualTo("00f067aa0ba902b7");
  }

  @Test
  void the_lowest_bit_of_the_flags_says_that_the_caller_records() {
    assertThat(new TraceContext(IDS + "00").isSampled()).isFalse();
    assertThat(new TraceContext(IDS + "01").isSampled()).isTrue();
    assertThat(new TraceContext(IDS + "02").isSampled()).isFalse();
    assertThat(new TraceContext(IDS + "0f").isSampled()).isTrue();
  }

  @Test
  void what_a_later_version_adds_changes_none_of_it() {
    TraceContext later = new TraceContext("01" + IDS.substring(2) + "03-more");

    assertThat(later.traceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    assertThat(later.isSampled()).isTrue();
  }

  @Test
  void anything_else_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new TraceContext(IDS));
  }

  @Test
  void only_the_context_of_a_caller_that_records_is_one_to_record() {
    assertThat(TraceContext.recorded(IDS + "01")).contains(new TraceContext(IDS + "01"));
    assertThat(TraceContext.recorded(IDS + "00")).isEmpty();
    assertThat(TraceContext.recorded("none")).isEmpty();
  }
}
