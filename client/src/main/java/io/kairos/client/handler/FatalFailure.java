package io.kairos.client.handler;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown by a handler when a retry will not help: the task fails for good. */
public final class FatalFailure extends RuntimeException {
  private static final long serialVersionUID = 3;

  private final @Nullable String errorClass;
  private final String stack;

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
    this(error, cause, errorClass, "");
  }

  /**
   * @param errorClass the class of an error that is no exception of this process, empty for none;
   *     null for that of the cause
   * @param stack where that error was thrown; empty for none
   */
  public FatalFailure(
      String error, @Nullable Throwable cause, @Nullable String errorClass, String stack) {
    super(error, cause);
    this.errorClass = errorClass;
    this.stack = stack;
  }

  /** Where an error was thrown that is no exception of this process; empty for none. */
  public String stack() {
    return stack;
  }

  /** The class of the error where the handler has said it. */
  public Optional<String> errorClass() {
    return Optional.ofNullable(errorClass);
  }
}
