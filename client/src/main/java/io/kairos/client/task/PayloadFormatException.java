package io.kairos.client.task;

/**
 * Thrown by a {@link PayloadCodec} for bytes that are no value of its type, and for a value that it
 * cannot write. The message names the type and the place, and nothing of what the payload holds,
 * because it is kept with the task.
 */
public final class PayloadFormatException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String errorClass;
  private final boolean isOfThisProcess;

  /**
   * @param errorClass class of the error that the task shows, such as the name of a parser's
   *     exception. That exception is no cause, because its text may show the payload.
   */
  public PayloadFormatException(String message, String errorClass) {
    this(message, errorClass, false);
  }

  /**
   * @param isOfThisProcess true when this process can read no payload of the type, whatever is in
   *     it, because it lacks a module for instance: a worker leaves the task to another
   */
  public PayloadFormatException(String message, String errorClass, boolean isOfThisProcess) {
    super(message);
    this.errorClass = errorClass;
    this.isOfThisProcess = isOfThisProcess;
  }

  public boolean isOfThisProcess() {
    return isOfThisProcess;
  }

  public String errorClass() {
    return errorClass;
  }
}
