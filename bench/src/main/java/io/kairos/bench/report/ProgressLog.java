package io.kairos.bench.report;

import java.io.PrintStream;

/** Reports progress on standard error, so that standard output has the result alone. */
public final class ProgressLog {
  private final PrintStream out;

  public ProgressLog(PrintStream out) {
    this.out = out;
  }

  public void say(String what) {
    out.println("bench: " + what);
  }
}
