package io.kairos.model.delay;

import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Publishes to a {@link ModelBroker}; knows a topic's partitions as of the last time it was up. */
final class ModelPublisher implements Publisher {
  private final ModelBroker broker;
  private final RecordTransit transit;
  private final Map<String, Integer> known = new ConcurrentHashMap<>();

  ModelPublisher(ModelBroker broker, RecordTransit transit) {
    this.broker = broker;
    this.transit = transit;
  }

  @Override
  public int partitions(MessageOutput output) {
    String topic = OutgoingRecord.topic(output);
    if (!broker.isAway()) {
      known.put(topic, broker.partitions(topic));
    }
    return known.getOrDefault(topic, 0);
  }

  @Override
  public int partitionFor(byte[] key, int partitions) {
    return MurmurHash2.partitionFor(key, partitions);
  }

  @Override
  public void send(OutgoingRecord outgoing, SendCallback callback) {
    transit.carry(outgoing, () -> broker.append(outgoing), callback);
  }
}
