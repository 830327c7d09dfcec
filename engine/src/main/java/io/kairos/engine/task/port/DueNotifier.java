package io.kairos.engine.task.port;

import io.kairos.domain.node.NodeId;
import java.time.Duration;

/**
 * Notifies the nodes of one store that tasks are due soon, so that they need not wait for their
 * next poll. Nodes notify, and so do applications that store tasks themselves. A notification is
 * only a hint: it may be lost or come twice. Each method is called by one thread at a time and may
 * throw {@link io.kairos.engine.node.StoreUnavailable}.
 */
public interface DueNotifier {
  /** Never notifies. */
  DueNotifier NONE =
      new DueNotifier() {
        @Override
        public void notifyOthers(NodeId by) {
          // no node listens
        }

        @Override
        public boolean heard(NodeId by, Duration atMost) {
          return false;
        }
      };

  /** Notifies every other node. */
  void notifyOthers(NodeId by);

  /**
   * Waits for a notification, at most this long; a model need not wait.
   *
   * @param by the calling node, whose own notifications do not count
   * @return true when a notification has come since the last call, or may have
   */
  boolean heard(NodeId by, Duration atMost);
}
