package io.kairos.client.handler;

/** A write under a higher fence came first: this attempt is stale and must have no effect. */
public final class StaleFenceException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StaleFenceException(String resource, long fence) {
    super("fence " + fence + " is stale: " + resource + " has been written under a higher one");
  }
}
