package io.kairos.bench.report;

/** Takes reports of progress. */
@FunctionalInterface
public interface ProgressLog {
  /** Standard error, so that standard output has the result alone. */
  ProgressLog STDERR = what -> System.err.println("bench: " + what);

  void say(String what);
}
