package io.kairos.cli.text;

import io.kairos.client.queue.HandlerPause;
import io.kairos.client.queue.QueueLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats answers of nodes as text. */
public final class AnswerText {
  /** Description of the option --limit. */
  public static final String LIMIT = "Maximum number of results (default ${DEFAULT-VALUE}).";

  private AnswerText() {}

  /** Returns the name of a state or outcome in lower case. */
  public static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  public static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  public static String of(HandlerPause pause) {
    return (pause.drops() ? "dropping" : "paused")
        + (pause.collection().isEmpty() ? "" : " " + pause.collection())
        + (pause.until() == null ? "" : " until " + pause.until())
        + (pause.note().isEmpty() ? "" : " (" + pause.note() + ")");
  }

  public static String of(QueueLimit limit) {
    List<String> limits = new ArrayList<>();
    if (limit.maxRunning() != null) {
      limits.add("%d of %d running".formatted(limit.running(), limit.maxRunning()));
    }
    if (limit.perSecond() != null) {
      limits.add(
          "%s per second".formatted(limit.perSecond())
              + (limit.burst() == null ? "" : ", burst " + limit.burst()));
    }
    return "priority %d: %s"
        .formatted(limit.priority(), limits.isEmpty() ? "not limited" : String.join(", ", limits));
  }
}
