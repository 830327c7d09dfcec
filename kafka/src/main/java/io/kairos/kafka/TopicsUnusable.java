package io.kairos.kafka;

/**
 * The node cannot use the topics as they are, or the broker does not let it describe them. The
 * message tells the operator the fault and the remedy.
 */
public class TopicsUnusable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean brokerAway;

  public TopicsUnusable(String message) {
    super(message);
    this.brokerAway = false;
  }

  public TopicsUnusable(String message, boolean brokerAway, Throwable cause) {
    super(message, cause);
    this.brokerAway = brokerAway;
  }

  /** True when the broker did not answer, so that the same check may pass later. */
  public boolean brokerAway() {
    return brokerAway;
  }
}
