package io.kairos.simulator;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of the store on its way: there, its effect, and the answer on the way back. */
final class StoreCall<T> {
  final Operation operation;
  private final Supplier<T> effect;
  final Fiber caller;
  final Weather.Fate fate;
  private @Nullable T result;
  @Nullable Event arrival;
  boolean done;
  boolean failed;
  boolean answered;

  StoreCall(Operation operation, Supplier<T> effect, Fiber caller, Weather.Fate fate) {
    this.operation = operation;
    this.effect = effect;
    this.caller = caller;
    this.fate = fate;
    this.failed = fate != Weather.Fate.ANSWERED;
  }

  void carryOut(World world) {
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
    Event event = arrival;
    if (event != null) {
      event.cancel();
    }
  }
}
