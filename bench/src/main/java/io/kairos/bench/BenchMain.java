package io.kairos.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the benchmarks: {@code kairos bench ...}. Runs on the main thread. */
@Command(name = "kairos bench", description = "Measures Kairos on this machine.")
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
