package io.kairos.bench.rig;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.trial.TrialReport;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that prints figures and writes them as JSON. Runs on the main thread. */
public abstract class BenchCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Write the result as JSON to this file.")
  @Nullable Path json;

  protected final ProgressLog progress = ProgressLog.STDERR;
  private final Map<String, FigureList> figures = new LinkedHashMap<>();

  @Override
  public final Integer call() throws IOException, SQLException, InterruptedException {
    int exitCode = run();
    if (json != null) {
      FigureList.writeJson(json, figures);
    }
    return exitCode;
  }

  /** Does what the command is for, shows what there is to show, and returns the exit code. */
  protected abstract int run() throws IOException, SQLException, InterruptedException;

  /** Prints figures and keeps them for the JSON. */
  protected final void show(String name, FigureList list) {
    System.out.println(list);
    figures.put(name, list);
  }

  /** Prints the figures of a run, keeps them, and returns its exit code. */
  protected final int show(String name, TrialReport report) {
    show(name, report.figures());
    return report.verdict().exitCode();
  }

  /** True while nothing has been shown. */
  final boolean isFirst() {
    return figures.isEmpty();
  }

  /** Refuses an option unless this holds. */
  protected final void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }
}
