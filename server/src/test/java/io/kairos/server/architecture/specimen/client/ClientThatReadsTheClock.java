package io.kairos.server.architecture.specimen.client;

/** Must break: one class of the client is free of this rule, not the module. */
public final class ClientThatReadsTheClock {
  long nanos() {
    return System.nanoTime();
  }
}
