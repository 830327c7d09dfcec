package io.kairos.server.demo;

import java.io.PrintWriter;
import java.util.Locale;

/**
 * Shows the demo's progress: one line that is overwritten at a terminal, a line every few calls
 * elsewhere. Used by one thread.
 */
public final class DemoProgress {
  private static final int WIDTH = 30;
  private static final int PLAIN_EVERY = 10;

  private final PrintWriter out;
  private final boolean terminal;
  private int calls;

  public DemoProgress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Shows the present state. Called about five times a second. */
  public void show(double seconds, int fired, int total) {
    String text =
        String.format(
            Locale.ROOT,
            "  %5.1f s   waiting %,6d   fired %,6d of %,d",
            seconds,
            total - fired,
            fired,
            total);
    if (terminal) {
      int done = total == 0 ? WIDTH : (int) ((long) fired * WIDTH / total);
      out.print("\r" + text + "   [" + "#".repeat(done) + ".".repeat(WIDTH - done) + "]");
    } else if (calls % PLAIN_EVERY == 0 || fired == total) {
      out.println(text);
    }
    calls++;
    out.flush();
  }

  /** Ends the line. */
  public void end() {
    if (terminal) {
      out.println();
      out.flush();
    }
  }
}
