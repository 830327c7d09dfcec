package io.kairos.bench.fault.scene;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.trial.LoadAccounts;

/**
 * How a fault ended: what was seen, and which demands were not met. Built up by the fault; not
 * thread-safe.
 */
public final class FaultVerdict {
  private final String fault;
  private final FigureList figures = new FigureList();
  private final RunVerdict demands = new RunVerdict();
  private boolean skipped;

  public FaultVerdict(String fault) {
    this.fault = fault;
  }

  /** Says that this machine does not allow the fault. */
  public void skip(String why) {
    skipped = true;
    figures.fact("skipped", why);
  }

  public FaultVerdict saw(String what, Object value) {
    figures.fact(what, value);
    return this;
  }

  public FaultVerdict saw(String what, Unit unit, Number value) {
    figures.row(what).add(what, "", unit, value);
    return this;
  }

  public FaultVerdict demand(boolean met, String otherwise) {
    demands.demand(met, otherwise);
    return this;
  }

  /** Figures that others add. */
  public FigureList figures() {
    return figures;
  }

  /** Demands that others add. */
  public RunVerdict demands() {
    return demands;
  }

  /** Demands that nothing is lost, as after every fault; repeats are for the fault to judge. */
  public FaultVerdict account(LoadAccounts accounts) {
    accounts.report(figures);
    accounts.judge(demands);
    return this;
  }

  public boolean passed() {
    return demands.isClean();
  }

  private String word() {
    return skipped ? "SKIPPED" : passed() ? "PASS" : "FAIL";
  }

  /** The line that counts. */
  public String headline() {
    return word() + "  " + fault + (passed() ? "" : ": " + demands.problems());
  }

  /** Its figures with the verdict. */
  public FigureList whole() {
    return figures.only("verdict", word()).only("problems", demands.problems());
  }
}
