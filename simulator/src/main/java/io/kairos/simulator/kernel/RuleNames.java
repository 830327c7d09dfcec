package io.kairos.simulator.kernel;

/**
 * The rules that all subjects share, each as a sentence for the report of a violation. Their
 * sources are docs/delivery-guarantees.md, docs/tasks.md, and "What may not change" in
 * ARCHITECTURE.md.
 */
public final class RuleNames {
  public static final String ON_TIME = "D3 on time when nothing is wrong";
  public static final String IDENTITY = "D8 payload identity";
  public static final String DRAINS = "after heal the backlog drains";
  static final String NO_HALF_LIFE = "a node works or stops";

  private RuleNames() {}
}
