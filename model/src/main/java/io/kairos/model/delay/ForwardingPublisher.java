package io.kairos.model.delay;

import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;

/** Passes every call on. Mutants override the calls that they break. */
public abstract class ForwardingPublisher implements Publisher {
  protected final Publisher next;

  protected ForwardingPublisher(Publisher next) {
    this.next = next;
  }

  @Override
  public int partitions(MessageOutput output) {
    return next.partitions(output);
  }

  @Override
  public int partitionFor(byte[] key, int partitions) {
    return next.partitionFor(key, partitions);
  }

  @Override
  public void send(OutgoingRecord outgoing, SendCallback callback) {
    next.send(outgoing, callback);
  }
}
