package io.kairos.simulator.schedule;

/** The rules of schedules, each as a sentence for the report of a violation. */
final class ScheduleRuleNames {
  private ScheduleRuleNames() {}

  static final String ONE_DECISION = "C1 a fire time is decided once, and stays so";
  static final String NO_SILENT_MISS = "C2 every fire time that has passed is decided";
  static final String STABLE_ID = "C3 a run's id is that of its schedule and fire time";
  static final String NO_STORM = "C5 catch-up is bounded";
  static final String ITS_RUN = "S1 every fired time has one run, and there is no other run";
  static final String OVERLAPS = "S2 runs overlap as the policy says";
  static final String STILL = "S3 a paused schedule does not fire";
  static final String ASKED_ONCE = "S4 a request runs once";
  static final String NOT_AHEAD = "S5 a clock that jumps fires nothing before it is believed";
  static final String LEFT_OUT =
      "S6 times that a calendar or a clock change leaves out do not fire";
  static final String NOT_BACK = "S7 a changed calendar or zone fires no past time again";
  static final String ITS_DECIDER = "S8 a schedule is decided only by its decider";
  static final String AGREED_TIME =
      "S9 agreed time that is far ahead of the store's clock fires nothing";
  static final String IN_TURN =
      "S10 a run of several tasks in turn begins after the earlier runs have ended";
  static final String STEPS = "S11 a step begins after the tasks that its definition names";
}
