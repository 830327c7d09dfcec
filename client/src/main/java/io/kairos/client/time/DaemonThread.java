package io.kairos.client.time;

/** Threads that do not keep the JVM running. */
public final class DaemonThread {
  private DaemonThread() {}

  /** Returns a thread that is not yet started. */
  public static Thread of(String name, Runnable action) {
    Thread made = new Thread(action, name);
    made.setDaemon(true);
    return made;
  }
}
