package io.kairos.cli.option;

import java.util.Set;
import picocli.CommandLine.Option;

/** The help and version options of every command. */
public final class HelpOptions {
  /** The names of the option that shows help. */
  public static final Set<String> HELP = Set.of("-h", "--help");

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help message and exit.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print version information and exit.")
  boolean version;
}
