package io.kairos.bench.replica;

import io.kairos.engine.replica.OrderedRequest;
import io.kairos.engine.replica.StateMachine;
import java.nio.ByteBuffer;

/** A state machine that only counts requests, to measure the log without cron. */
final class CounterMachine implements StateMachine {
  private long count;

  @Override
  public byte[] execute(OrderedRequest request) {
    count++;
    return snapshot();
  }

  @Override
  public byte[] snapshot() {
    return ByteBuffer.allocate(Long.BYTES).putLong(count).array();
  }

  @Override
  public void restore(byte[] snapshot) {
    count = ByteBuffer.wrap(snapshot).getLong();
  }

  @Override
  public byte[] digest() {
    return snapshot();
  }

  long count() {
    return count;
  }
}
