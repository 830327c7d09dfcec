package io.kairos.engine.poll;

/**
 * One poll's question to one step, with the report so far. Written by the step's thread, read by
 * any.
 */
final class StepPoll {
  private final Runnable ended;
  private volatile StepReport report;

  /**
   * @param ended called once, when the step is at rest or has failed
   */
  StepPoll(String step, Runnable ended) {
    this.report = StepReport.none(step);
    this.ended = ended;
  }

  StepReport report() {
    return report;
  }

  void did(int things, boolean atRest) {
    report = report.after(things, atRest);
    if (atRest) {
      ended.run();
    }
  }

  void failed() {
    report = report.failed();
    ended.run();
  }
}
