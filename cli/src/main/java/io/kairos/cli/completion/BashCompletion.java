package io.kairos.cli.completion;

import io.kairos.cli.option.ContextNames;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Completion in bash, and in zsh by its emulation of bash: the script of picocli. */
public final class BashCompletion {
  private static final String CONTEXTS =
      """

      # Prints the names of contexts.
      function _kairos_contexts() {
        local folder="$HOME/.config"
        case "${XDG_CONFIG_HOME:-}" in /*) folder="$XDG_CONFIG_HOME" ;; esac
        local file="$folder/kairos/contexts.yaml"
        if [ -r "$file" ]; then sed -n "%s" "$file"; fi
      }
      """
          .formatted(ContextLookup.SED);

  private BashCompletion() {}

  public static String script(CommandLine commands) {
    sortOptions(commands.getCommandSpec());
    String script = AutoComplete.bash("kairos", commands);
    return script.replace("(\"" + ContextNames.MARK + "\")", "($(_kairos_contexts))") + CONTEXTS;
  }

  /**
   * Options that are methods come in an order that the JVM chooses at each start. Packages have the
   * same script in every build.
   */
  private static void sortOptions(CommandSpec command) {
    List<OptionSpec> options =
        command.options().stream()
            .filter(option -> option.userObject() instanceof Method)
            .sorted(Comparator.comparing(OptionSpec::longestName))
            .toList();
    options.forEach(command::remove);
    options.forEach(command::addOption);
    command.subcommands().values().forEach(below -> sortOptions(below.getCommandSpec()));
  }
}
