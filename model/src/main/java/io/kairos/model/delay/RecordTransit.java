package io.kairos.model.delay;

import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import java.util.function.Supplier;

/**
 * The way of a record from the publisher to the broker, and of its acknowledgement back. Tests add
 * delays and losses here.
 */
@FunctionalInterface
public interface RecordTransit {
  /** Neither delay nor loss. */
  RecordTransit IMMEDIATE = (_, write, callback) -> callback.completed(write.get());

  /**
   * Carries one record.
   *
   * @param write writes the record to the broker, to be called when it arrives, if it does
   * @param callback to be called exactly once, with what the publisher learns
   */
  void carry(OutgoingRecord outgoing, Supplier<SendResult> write, SendCallback callback);
}
