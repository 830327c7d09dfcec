package io.kairos.edge.session;

import io.kairos.engine.setting.ValueFormat;
import java.net.URI;

/**
 * Where pages of traces are. The id stands after the host, so that no id leads to another host, and
 * nobody's password is in what every user is told.
 */
final class TraceUrlFormat extends ValueFormat<String> {
  private static final String TRACE_ID = "{trace_id}";

  TraceUrlFormat() {
    super(
        "URL",
        "an https or http URL with one "
            + TRACE_ID
            + " after its host, such as https://traces.example.com/trace/"
            + TRACE_ID,
        "https?://[^\\s{}/?#@]+[/?#][^\\s{}]*\\{trace_id\\}[^\\s{}]*",
        TraceUrlFormat::checked);
  }

  private static String checked(String text) {
    var _ = URI.create(text.replace(TRACE_ID, "0"));
    return text;
  }
}
