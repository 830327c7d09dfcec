package io.kairos.engine.node;

/**
 * Times the calls of the store, for metrics. Called on the threads of the calls; must be quick and
 * must not throw.
 */
@FunctionalInterface
public interface StoreCallTimer {
  /** A timer that does nothing. */
  StoreCallTimer NONE = () -> _ -> {};

  /** A statement or a transaction begins; it may have to wait for a connection. */
  StoreCall begin();

  /** A call under way, which ends once. */
  @FunctionalInterface
  interface StoreCall {
    /**
     * The call has ended.
     *
     * @param isAnswered false when it ends as {@link StoreUnavailable}
     */
    void end(boolean isAnswered);
  }
}
