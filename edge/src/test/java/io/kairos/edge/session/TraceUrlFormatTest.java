package io.kairos.edge.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceUrlFormatTest {
  private final TraceUrlFormat format = new TraceUrlFormat();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://traces.example.com/trace/{trace_id}",
        "http://localhost:16686/trace/{trace_id}?uiEmbed=v0",
        "https://traces.example.com?id={trace_id}",
        "https://[::1]:3000/explore#{trace_id}",
        "http://trace_ui:16686/trace/{trace_id}",
      })
  void a_page_of_a_trace_is_taken(String url) {
    assertThat(format.read(url)).isEqualTo(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://traces.example.com/trace/",
        "https://traces.example.com/{trace_id}/{trace_id}",
        "https://traces.example.com/{span_id}/{trace_id}",
        "https://{trace_id}.example.com/",
        "https://user:password@traces.example.com/{trace_id}",
        "https://traces.example.com{trace_id}",
        "https:///trace/{trace_id}",
        "https://traces.example.com/\"><img onerror=x>/{trace_id}",
        "javascript:alert('{trace_id}')",
        "data:text/html,{trace_id}",
        "//traces.example.com/{trace_id}",
        "/trace/{trace_id}",
      })
  void anything_else_is_refused(String url) {
    assertThatThrownBy(() -> format.read(url)).isInstanceOf(IllegalArgumentException.class);
  }
}
