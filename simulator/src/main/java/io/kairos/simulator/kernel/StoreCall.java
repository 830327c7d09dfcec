package io.kairos.simulator.kernel;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of the store in flight: the way there, the effect, and the way back. */
final class StoreCall<T> {
  final PortCall operation;
  private final Supplier<T> effect;
  final Fiber caller;
  final CallConditions.Fate fate;
  private @Nullable T result;
  @Nullable VirtualEvent arrival;
  boolean done;
  boolean failed;
  boolean answered;

  StoreCall(PortCall operation, Supplier<T> effect, Fiber caller, CallConditions.Fate fate) {
    this.operation = operation;
    this.effect = effect;
    this.caller = caller;
    this.fate = fate;
    this.failed = fate != CallConditions.Fate.ANSWERED;
  }

  void carryOut(SimulatedCluster<?, ?> world) {
    result = world.carryOut(operation, effect);
    done = true;
  }

  T result() {
    T value = result;
    if (value == null) {
      throw new IllegalStateException("no answer to " + operation);
    }
    return value;
  }

  void loseOnTheWay() {
    VirtualEvent event = arrival;
    if (event != null) {
      event.cancel();
    }
  }
}
