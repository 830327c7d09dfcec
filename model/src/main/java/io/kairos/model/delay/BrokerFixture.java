package io.kairos.model.delay;

import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A broker as its producers, consumers and administrators see it. */
public interface BrokerFixture {
  /** Creates a topic with a name that was never used, and returns the name. */
  String newTopic(int partitions);

  /** Adds partitions to a topic, up to this total. */
  void grow(String topic, int partitions);

  /** Deletes a topic and makes it anew, empty, under the same name. */
  void recreate(String topic, int partitions);

  /** Writes a record and returns its offset once it is acknowledged. */
  long produce(
      String topic,
      int partition,
      long timestampMillis,
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<MessageHeader> headers);

  /** Writes a record in a transaction and aborts it: its offsets are used up, nobody reads it. */
  void produceAborted(String topic, int partition, byte[] value);

  /** Everything that lies on the partition now, in order. */
  List<InputRecord> records(String topic, int partition);
}
