package io.kairos.simulator.replica;

/** A checker's verdict: the name of the rule and what broke it. */
public final class ReplicaRuleViolation extends AssertionError {
  private static final long serialVersionUID = 1L;

  ReplicaRuleViolation(String rule, String what) {
    super(rule + ": " + what);
  }
}
