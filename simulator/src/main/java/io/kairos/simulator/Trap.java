package io.kairos.simulator;

import java.util.function.Predicate;

/** Waits for a certain call of a process and then strikes. */
final class Trap {
  /** What happens at the call. */
  enum Kind {
    /** It fails, done or not. */
    FAIL,
    /** The process stands still before the call, for longer than its liveness lasts. */
    FREEZE,
    /** The process dies before the call has had its effect. */
    CRASH_BEFORE,
    /** The process dies when the call has had its effect, before it learns so. */
    CRASH_AFTER
  }

  static final Operation SEND = new Operation.Other("send");
  static final Operation POLL = new Operation.Other("poll");

  private final Kind kind;
  private final Predicate<Operation> at;
  private int passes;

  /**
   * @param passes how many such calls get away before
   */
  Trap(Kind kind, Predicate<Operation> at, int passes) {
    this.kind = kind;
    this.at = at;
    this.passes = passes;
  }

  boolean springs(Kind asked, Operation operation) {
    return asked == kind && at.test(operation) && passes-- == 0;
  }
}
