package io.kairos.hashgraph;

import io.kairos.domain.check.HashFunction;
import io.kairos.engine.replica.OrderedRequest;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A machine whose state is a hash over all that it was given. */
final class SimulatedMachine implements JudgedMachine {
  private long state = HashFunction.FNV_OFFSET;
  private final boolean isMutant;
  private long executions;

  /** A mutant passes over the number of every hundredth request. */
  SimulatedMachine(boolean isMutant) {
    this.isMutant = isMutant;
  }

  @Override
  public byte[] execute(OrderedRequest request) {
    executions++;
    state =
        isMutant && executions % 100 == 0 ? state : HashFunction.mixed(state ^ request.sequence());
    state = HashFunction.mixed(state ^ request.origin().client().value());
    state = HashFunction.mixed(state ^ request.origin().request());
    state = HashFunction.mixed(state ^ Arrays.hashCode(request.command()));
    return snapshot();
  }

  @Override
  public byte[] snapshot() {
    return ByteBuffer.allocate(Long.BYTES).putLong(state).array();
  }

  @Override
  public void restore(byte[] snapshot) {
    state = ByteBuffer.wrap(snapshot).getLong();
  }

  @Override
  public byte[] digest() {
    return snapshot();
  }

  @Override
  public long executions() {
    return executions;
  }

  @Override
  public long state() {
    return state;
  }
}
