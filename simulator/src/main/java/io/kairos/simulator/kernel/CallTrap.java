package io.kairos.simulator.kernel;

import java.util.function.Predicate;

/** Waits for a certain call of a process and then strikes. */
public final class CallTrap {
  /** The fault at the call. */
  public enum Kind {
    /** It fails, done or not. */
    FAIL,
    /** The process stands still before the call, for longer than its liveness lasts. */
    FREEZE,
    /** The process dies before the call has had its effect. */
    CRASH_BEFORE,
    /** The process dies when the call has had its effect, before it learns so. */
    CRASH_AFTER
  }

  public static final PortCall SEND = new PortCall.Other("send");
  public static final PortCall POLL = new PortCall.Other("poll");

  private final Kind kind;
  private final Predicate<PortCall> at;
  private int passes;

  /**
   * @param passes how many such calls get away before
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
