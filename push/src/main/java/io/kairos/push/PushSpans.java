package io.kairos.push;

import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.task.edge.ClaimedTask;
import org.jspecify.annotations.Nullable;

/**
 * Makes a span for each request of a task whose caller records a trace. Called on event loops; must
 * not block.
 */
public interface PushSpans {
  /** Makes no spans. */
  PushSpans NONE = (work, pool, endpoint, caller, sinceMicros) -> null;

  /**
   * A request is about to be sent.
   *
   * @param endpoint its URL
   * @param caller a sampled trace context
   * @param sinceMicros microseconds since 1970
   * @return null for no span
   */
  @Nullable PushSpan sending(
      ClaimedTask work, PoolName pool, String endpoint, TraceContext caller, long sinceMicros);

  /** The span of a request. */
  interface PushSpan {
    /** The trace context that the request carries. */
    TraceContext context();

    /**
     * The request has ended.
     *
     * @param status status of the answer; 0 for none
     * @param error why there is no answer; empty with an answer
     * @param untilMicros microseconds since 1970
     */
    void ended(int status, String error, long untilMicros);
  }
}
