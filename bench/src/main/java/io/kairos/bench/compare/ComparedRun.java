package io.kairos.bench.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The runs by which two trees are compared. */
enum ComparedRun {
  DELAY("delay --rate 20000", "firedPerSecond", "/lateness/p999", "/cost/cpuMicrosPerMessage"),
  TASKS(
      "tasks --outstanding 60000 --batch 500 --callers 8",
      "endedPerSecond",
      "/latenessP999",
      "/nodeMicros /postgresMicros /workerMicros"),
  PUSH(
      "push --rate 500 --batch 5 --callers 4",
      "pushedPerSecond",
      "/latenessP999",
      "/nodeMicros /postgresMicros");

  private static final String PER_SECOND = "/perSecond";
  private static final String P999 = "/lateness/p999";
  private static final String CPU = "/cpuMicros";

  private final String command;
  private final String perSecondBefore;
  private final String p999Before;
  private final String cpuBefore;

  /**
   * Says where the figures are at commit 3f88167 and before, where the keys of runs differed: to be
   * deleted when the baseline is a later commit.
   *
   * @param command of the bench, with everything whose default may differ
   * @param cpuBefore keys whose values are added
   */
  ComparedRun(String command, String perSecondBefore, String p999Before, String cpuBefore) {
    this.command = command;
    this.perSecondBefore = "/" + perSecondBefore;
    this.p999Before = p999Before;
    this.cpuBefore = cpuBefore;
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
        sum(result, PER_SECOND, perSecondBefore),
        sum(result, P999, p999Before),
        sum(result, CPU, cpuBefore));
  }

  private static double sum(JsonNode result, String key, String keysBefore) {
    if (result.at(key).isNumber()) {
      return result.at(key).doubleValue();
    }
    double sum = 0;
    for (String before : keysBefore.split(" ", -1)) {
      if (!result.at(before).isNumber()) {
        throw new IllegalArgumentException("the result has neither " + key + " nor " + before);
      }
      sum += result.at(before).doubleValue();
    }
    return sum;
  }
}
