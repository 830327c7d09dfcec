package io.kairos.engine.task.edge;

/** The answers that a caller has not read yet leave no room for this one. It has had no effect. */
public final class NoAnswerRoom extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NoAnswerRoom() {
    super("the caller has too many answers that it has not read");
  }
}
