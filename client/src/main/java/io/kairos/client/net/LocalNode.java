package io.kairos.client.net;

import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A node in this process, which takes calls without a connection. The module in-process has it; an
 * application does not call it itself. The type of a request names the method. Thread-safe.
 */
public interface LocalNode {
  /**
   * Makes a call. Exactly one of {@code answered} and {@code failed} is called once, on a thread of
   * the node or, before this method returns, on that of the caller; neither may block.
   *
   * @param request a message of the API
   * @param answer the type of the message that answers it
   */
  <A> void call(
      Object request, Class<A> answer, Consumer<A> answered, Consumer<CallRefusal> failed);

  /** Runs the short work that a worker has with answers, other than those to heartbeats. */
  Executor answers();
}
