package io.kairos.bench;

import io.kairos.bench.delay.DelayCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the benchmarks: {@code kairos bench ...}. Runs on the main thread. */
@Command(
    name = "kairos bench",
    mixinStandardHelpOptions = true,
    description = "Measures Kairos on this machine, and breaks what it stands on.",
    subcommands = DelayCommand.class)
public final class BenchMain implements Runnable {
  private BenchMain() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new BenchMain()).execute(args));
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }
}
