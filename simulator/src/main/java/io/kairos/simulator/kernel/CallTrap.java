package io.kairos.simulator.kernel;

import java.util.function.Predicate;

/** Waits for a certain call of a process, and then causes a fault. */
public final class CallTrap {
  /** The fault at the call. */
  public enum Kind {
    /** The call fails, with or without its effect. */
    FAIL,
    /** The process freezes before the call, for longer than its liveness lasts. */
    FREEZE,
    /** The process dies before the effect of the call. */
    CRASH_BEFORE,
    /** The process dies after the effect of the call, and before the answer. */
    CRASH_AFTER
  }

  public static final PortCall SEND = new PortCall.Other("send");
  public static final PortCall POLL = new PortCall.Other("poll");

  private final Kind kind;
  private final Predicate<PortCall> at;
  private int passes;

  /**
   * @param passes number of such calls before the one with the fault
   */
  CallTrap(Kind kind, Predicate<PortCall> at, int passes) {
    this.kind = kind;
    this.at = at;
    this.passes = passes;
  }

  boolean springs(Kind asked, PortCall operation) {
    return asked == kind && at.test(operation) && passes-- == 0;
  }
}
