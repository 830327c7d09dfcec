package io.kairos.simulator.kernel;

/** A checker's verdict: the name of the rule and what broke it. */
public final class RuleViolation extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final String rule;

  public RuleViolation(String rule, String what) {
    super(rule + ": " + what);
    this.rule = rule;
  }

  public String rule() {
    return rule;
  }
}
