package io.kairos.bench.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The runs by which two trees are compared. */
enum ComparedRun {
  DELAY("delay --rate 20000"),
  TASKS("tasks --outstanding 60000 --batch 500 --callers 8"),
  PUSH("push --rate 500 --batch 5 --callers 4");

  private final String command;

  /**
   * @param command of the bench, with everything whose default may differ
   */
  ComparedRun(String command) {
    this.command = command;
  }

  /** The compared figures of a run. */
  record Figures(double perSecond, double p999Millis, double cpuMicros) {}

  /** The arguments of the bench. */
  List<String> arguments(Duration warmup, Duration measure) {
    List<String> arguments = new ArrayList<>(List.of(command.split(" ", -1)));
    arguments.addAll(List.of("--warmup", millis(warmup), "--duration", millis(measure)));
    return arguments;
  }

  private static String millis(Duration duration) {
    return duration.toMillis() + "ms";
  }

  /**
   * Reads what a bench has written.
   *
   * @throws IllegalArgumentException when a figure is missing
   */
  Figures read(JsonNode json) {
    JsonNode result = json.path("result");
    return new Figures(
        figure(result, "/perSecond"),
        figure(result, "/lateness/p999"),
        figure(result, "/cpuMicros"));
  }

  private static double figure(JsonNode result, String key) {
    if (!result.at(key).isNumber()) {
      throw new IllegalArgumentException("the result has no " + key);
    }
    return result.at(key).doubleValue();
  }
}
