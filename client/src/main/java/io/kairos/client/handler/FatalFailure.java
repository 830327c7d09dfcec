package io.kairos.client.handler;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown by a handler when a retry will not help: the task fails for good. */
public final class FatalFailure extends RuntimeException {
  private static final long serialVersionUID = 2;

  private final @Nullable String errorClass;

  public FatalFailure(String error) {
    this(error, null);
  }

  public FatalFailure(String error, @Nullable Throwable cause) {
    this(error, cause, null);
  }

  /**
   * @param errorClass the class of an error that is no exception of this process, empty for none;
   *     null for that of the cause
   */
  public FatalFailure(String error, @Nullable Throwable cause, @Nullable String errorClass) {
    super(error, cause);
    this.errorClass = errorClass;
  }

  /** The class of the error where the handler has said it. */
  public Optional<String> errorClass() {
    return Optional.ofNullable(errorClass);
  }
}
