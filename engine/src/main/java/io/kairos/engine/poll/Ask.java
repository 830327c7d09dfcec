package io.kairos.engine.poll;

/** What a poll wants of one step. Answered by the step's thread, read by any. */
final class Ask {
  private final Runnable ended;
  private volatile StepReport report;

  /**
   * @param ended told once, when the step is at rest or has failed
   */
  Ask(String step, Runnable ended) {
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
