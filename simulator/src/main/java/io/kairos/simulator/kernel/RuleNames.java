package io.kairos.simulator.kernel;

/**
 * Names of the rules: docs/delivery-guarantees.md, docs/tasks.md and ARCHITECTURE.md ("What may not
 * change") as sentences that a history can be held against. The numbers are defined here.
 */
public final class RuleNames {
  public static final String ON_TIME = "D3 on time when nothing is wrong";
  public static final String IDENTITY = "D8 payload identity";
  public static final String DRAINS = "after heal the backlog drains";
  static final String NO_HALF_LIFE = "a node works or stops";

  private RuleNames() {}
}
