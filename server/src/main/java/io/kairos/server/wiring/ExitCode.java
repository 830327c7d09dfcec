package io.kairos.server.wiring;

/** Exit codes of the process. Scripts and supervisors rely on them. */
public final class ExitCode {
  public static final int OK = 0;

  /** The environment prevents the start, or the demo found a fault. */
  public static final int FAILED = 1;

  /** The command line or the configuration is invalid. */
  public static final int UNUSABLE = 2;

  /** A broken invariant or an error of the virtual machine: a human must look. */
  public static final int BROKEN = 70;

  private ExitCode() {}
}
