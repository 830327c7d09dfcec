package io.kairos.client.worker;

/** The last resort against two workers performing one task: the end of this one. */
@FunctionalInterface
public interface Halt {
  /** {@code Runtime.halt}: at once, without shutdown hooks, which could wait for the handler. */
  Halt JVM = why -> Runtime.getRuntime().halt(70);

  /** Called on the heartbeat thread, after the reason has been logged. */
  void halt(String why);
}
