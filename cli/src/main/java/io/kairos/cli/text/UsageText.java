package io.kairos.cli.text;

import java.util.Locale;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** The descriptions of commands and options as plain text, for other forms than {@code --help}. */
public final class UsageText {
  private UsageText() {}

  public static String of(CommandSpec command) {
    return plain(command.usageMessage().description());
  }

  /** Returns the first sentence of the description, without its end. */
  public static String first(CommandSpec command) {
    return of(command).split("[.:]( |$)", 2)[0];
  }

  public static String of(ArgSpec arg) {
    return plain(arg.description())
        .replace("${COMPLETION-CANDIDATES}", candidates(arg, ", "))
        .replace("${DEFAULT-VALUE}", String.valueOf(arg.defaultValueString()));
  }

  /** Returns the values that an option or parameter can have, in lower case; empty if any. */
  public static String candidates(ArgSpec arg, String separator) {
    Iterable<String> candidates = arg.completionCandidates();
    return candidates == null ? "" : String.join(separator, candidates).toLowerCase(Locale.ROOT);
  }

  /** Joins lines, in which picocli takes percent signs as those of formats. */
  private static String plain(String... lines) {
    return String.join(" ", lines).replace("%n", " ").replace("%%", "%").strip();
  }
}
