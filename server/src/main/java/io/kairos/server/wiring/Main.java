package io.kairos.server.wiring;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the application: {@code kairos version}. Runs on the main thread. */
@Command(name = "kairos", description = "Keeps work until its moment and then hands it over.")
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }

  @Command(description = "Prints the version.")
  int version() {
    Package self = Main.class.getPackage();
    String version = self == null ? null : self.getImplementationVersion();
    System.out.println("kairos " + (version == null ? "(not packaged)" : version));
    return 0;
  }
}
