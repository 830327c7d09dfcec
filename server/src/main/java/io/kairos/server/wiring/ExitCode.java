package io.kairos.server.wiring;

/** What the process says when it ends. Scripts and supervisors rely on these. */
public final class ExitCode {
  public static final int OK = 0;

  /** Something outside does not let the node start, or the demo found a fault. */
  public static final int FAILED = 1;

  /** The command line or the configuration cannot be used. */
  public static final int UNUSABLE = 2;

  /** A broken invariant or an error of the virtual machine: a human must look. */
  public static final int BROKEN = 70;

  private ExitCode() {}
}
