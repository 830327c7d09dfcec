package io.kairos.client.worker;

/**
 * Somebody with a higher fence has written already: this attempt is history and must have no
 * effect.
 */
public final class StaleFenceException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StaleFenceException(String resource, long fence) {
    super("fence " + fence + " is stale: " + resource + " has been written under a higher one");
  }
}
