package io.kairos.client.worker;

import io.kairos.client.net.CallRefusal;
import java.time.Duration;
import java.util.function.Consumer;

/** Asynchronous calls of a worker, over connections or to a node of this process. */
interface WorkerNodeCalls {
  /**
   * Calls a node. Exactly one of {@code answered} and {@code failed} is called; they must not
   * block.
   *
   * @param answer the type of the answer; that of the request names the method
   * @param timeout a call that is not answered in time, by the client's own clock, counts as failed
   * @param waitForNode true to wait for a connection instead of failing at once
   */
  <A> void call(
      int node,
      Class<A> answer,
      Object request,
      Duration timeout,
      boolean waitForNode,
      Consumer<A> answered,
      Consumer<CallRefusal> failed);
}
