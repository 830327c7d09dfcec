package io.kairos.bench.replica;

import io.kairos.engine.replica.Ordered;
import io.kairos.engine.replica.StateMachine;
import java.nio.ByteBuffer;

/** Counts requests and does nothing else: what the log costs without cron. */
final class CounterMachine implements StateMachine {
  private long count;

  @Override
  public byte[] execute(Ordered request) {
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
