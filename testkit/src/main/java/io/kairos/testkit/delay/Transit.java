package io.kairos.testkit.delay;

import io.kairos.engine.delay.port.Outgoing;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import java.util.function.Supplier;

/**
 * What happens to a record between the publisher and the broker, and to its acknowledgement on the
 * way back: the place where delays and losses come in.
 */
@FunctionalInterface
public interface Transit {
  /** Neither delay nor loss. */
  Transit IMMEDIATE = (_, write, callback) -> callback.completed(write.get());

  /**
   * Carries one record.
   *
   * @param write writes the record to the broker, to be called when it arrives, if it does
   * @param callback to be called exactly once, with what the publisher learns
   */
  void carry(Outgoing outgoing, Supplier<SendResult> write, SendCallback callback);
}
