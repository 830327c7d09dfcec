package io.kairos.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kairos version}: the version that the build wrote into the jar. */
@Command(name = "version", description = "Prints the version.")
final class VersionCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    for (String line : lines()) {
      spec.commandLine().getOut().println(line);
    }
    return 0;
  }

  /** Returns what {@code --version} prints. */
  static String[] lines() {
    Package self = VersionCommand.class.getPackage();
    String version = self == null ? null : self.getImplementationVersion();
    return new String[] {"kairos " + (version == null ? "(not packaged)" : version)};
  }
}
