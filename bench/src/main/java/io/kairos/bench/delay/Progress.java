package io.kairos.bench.delay;

import java.io.PrintStream;

/** What is going on, on standard error, so that standard output has the result alone. */
public final class Progress {
  private final PrintStream out;

  public Progress(PrintStream out) {
    this.out = out;
  }

  public void say(String what) {
    out.println("bench: " + what);
  }
}
