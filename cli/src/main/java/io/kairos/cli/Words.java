package io.kairos.cli;

import io.kairos.client.QueueLimit;
import io.kairos.client.TaskGate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What nodes answer, as people read it. */
final class Words {
  private Words() {}

  /** The name of a state or outcome. */
  static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  static String of(TaskGate gate) {
    return (gate.drops() ? "dropping" : "paused")
        + (gate.collection().isEmpty() ? "" : " " + gate.collection())
        + (gate.until() == null ? "" : " until " + gate.until())
        + (gate.note().isEmpty() ? "" : " (" + gate.note() + ")");
  }

  static String of(QueueLimit limit) {
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
