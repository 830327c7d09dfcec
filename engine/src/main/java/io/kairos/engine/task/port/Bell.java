package io.kairos.engine.task.port;

import io.kairos.domain.node.NodeId;
import java.time.Duration;

/**
 * How nodes on one store, and applications that put tasks into it, tell nodes that something is due
 * soon, so that these need not wait for their poll. A hint and no more: it may be lost or come
 * twice. Each method is called on one thread at a time and may throw {@link
 * io.kairos.engine.node.StoreUnavailable}.
 */
public interface Bell {
  /** Never rings. */
  Bell NONE =
      new Bell() {
        @Override
        public void ring(NodeId by) {
          // nobody hears it
        }

        @Override
        public boolean heard(NodeId by, Duration atMost) {
          return false;
        }
      };

  /** Rings at every other node. */
  void ring(NodeId by);

  /**
   * Waits until it rings, at most this long; a model need not wait.
   *
   * @param by whose own ringing does not count
   * @return whether it has rung since the last time, or may have
   */
  boolean heard(NodeId by, Duration atMost);
}
