package io.kairos.client.worker;

/**
 * Halts the JVM: the last resort to keep two workers from performing the same task. Used only for
 * handlers with {@link io.kairos.client.handler.HandlerOptions#HALT_JVM}.
 */
@FunctionalInterface
public interface JvmHalt {
  /**
   * {@code Runtime.halt} with exit code 70: ends the JVM at once, without shutdown hooks, which
   * could wait for the handler.
   */
  JvmHalt JVM = why -> Runtime.getRuntime().halt(70);

  /**
   * Called on the heartbeat thread, after the reason has been logged. It should not return: when it
   * does, or throws, the JVM goes on and the handler is abandoned.
   */
  void halt(String why);
}
