package io.kairos.bench.rig;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.ReportOptions;
import io.kairos.bench.trial.TrialReport;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that prints figures and writes them as JSON. Runs on the main thread. */
public abstract class BenchCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Mixin protected PlaceOptions place = new PlaceOptions();
  @Mixin ReportOptions output = new ReportOptions();

  protected final ProgressLog progress = ProgressLog.STDERR;
  private final Map<String, FigureList> figures = new LinkedHashMap<>();

  @Override
  public final Integer call() throws SQLException, InterruptedException {
    int exitCode = run();
    output.writeJson(figures);
    return exitCode;
  }

  /** Does what the command is for, shows what there is to show, and returns the exit code. */
  protected abstract int run() throws SQLException, InterruptedException;

  /** Prints figures and keeps them for the JSON. */
  protected void show(String name, FigureList list) {
    System.out.println(list);
    figures.put(name, list);
  }

  /** Prints what a run showed, keeps it, and returns its exit code. */
  protected int show(String name, TrialReport report) {
    show(name, report.figures());
    return report.verdict().exitCode();
  }

  /** True while nothing has been shown. */
  boolean isFirst() {
    return figures.isEmpty();
  }

  /** Refuses an option unless this holds. */
  protected void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }
}
