package io.kairos.bench.rig;

import java.util.List;

/** Lets a process stand still, as a debugger or a paused machine would. */
public final class Standstill {
  private Standstill() {}

  /** SIGSTOP: its connections stay open. */
  public static void begin(long pid) {
    if (!signal("STOP", pid)) {
      throw new IllegalStateException("process " + pid + " cannot be stopped");
    }
  }

  /** SIGCONT. Returns false when there is no such process any more. */
  public static boolean end(long pid) {
    return signal("CONT", pid);
  }

  private static boolean signal(String name, long pid) {
    return Children.run(List.of("sh", "-c", "kill -" + name + " " + pid)) == 0;
  }
}
