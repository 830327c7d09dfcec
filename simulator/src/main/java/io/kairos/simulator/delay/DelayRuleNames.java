package io.kairos.simulator.delay;

/** The rules of the delay queue, each as a sentence for the report of a violation. */
public final class DelayRuleNames {
  private DelayRuleNames() {}

  public static final String NO_LOSS = "D1 nothing accepted is lost";
  static final String NOT_EARLY = "D2 nothing early";
  static final String UNIQUE = "D4 ids are unique while pending";
  static final String NO_CAUSELESS_COPY = "D5 a second copy has a cause";
  static final String ONE_OWNER = "D6 one owner at a time, changed under suspicion only";
  static final String FENCED = "D7 an old fence changes nothing";
  static final String ROUTING = "D9 same key, same partition";
  static final String LINEARIZABLE = "D10 cancel and reschedule are linearizable per id";
  static final String SETTLED_FIRST =
      "D11 a node settles what was acknowledged to it before it gives it up";
  static final String POSITIONS = "positions move on and never back";
  static final String BOUNDED = "everything that queues has a bound";
  static final String PARKED = "what cannot be handled is parked with its reason";
  static final String STAMPS = "stamps tell the time and strictly rise";
}
