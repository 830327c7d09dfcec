package io.kairos.cli.completion;

import io.kairos.cli.option.ContextNames;
import io.kairos.cli.text.UsageText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Completion in fish, for which picocli has none: a rule for each command and option, whose
 * condition is the command that was typed so far.
 */
public final class FishCompletion {
  private static final String FUNCTIONS =
      """
      # Completion of kairos in fish.
      function __kairos_contexts
          set -l folder $HOME/.config
          string match -q -- '/*' "$XDG_CONFIG_HOME"; and set folder $XDG_CONFIG_HOME
          test -r $folder/kairos/contexts.yaml; and sed -n "%s" $folder/kairos/contexts.yaml
      end

      # Prints the command that was typed so far, without options and their values.
      function __kairos_command
          set -l words (commandline -opc)
          set -e words[1]
          set -l command kairos
          set -l is_value no
          for word in $words
              if test $is_value = yes
                  set is_value no
              else if contains -- $word $__kairos_valued
                  set is_value yes
              else if contains -- "$command $word" $__kairos_commands
                  set command "$command $word"
              end
          end
          echo $command
      end

      function __kairos_is
          test (__kairos_command) = "$argv"
      end

      complete -c kairos -e
      """
          .formatted(ContextLookup.SED);

  private final Map<String, CommandSpec> commands = new LinkedHashMap<>();

  private FishCompletion(CommandLine main) {
    add("kairos", main.getCommandSpec());
  }

  /** Adds a command and those below it, under all their names. */
  private void add(String path, CommandSpec command) {
    commands.put(path, command);
    command.subcommands().forEach((name, below) -> add(path + " " + name, below.getCommandSpec()));
  }

  public static String script(CommandLine main) {
    return new FishCompletion(main).script();
  }

  private String script() {
    List<String> lines = new ArrayList<>();
    lines.add("set -g __kairos_commands " + quoted(commands.keySet()));
    lines.add("set -g __kairos_valued " + quoted(valued()));
    commands.forEach((path, command) -> {
      String rule = "complete -c kairos -n '__kairos_is " + path + "'";
      command
          .subcommands()
          .forEach((name, below) ->
              lines.add(
                  "%s -f -a %s -d %s"
                      .formatted(rule, name, quoted(UsageText.first(below.getCommandSpec())))));
      command.options().forEach(option -> lines.add(rule + option(option)));
      for (PositionalParamSpec parameter : command.positionalParameters()) {
        if (parameter.completionCandidates() != null) {
          lines.add(rule + " -f -a " + values(parameter));
        }
      }
    });
    return FUNCTIONS + String.join("\n", lines) + "\n";
  }

  /** Returns the options behind which a value follows as the next word. */
  private Iterable<String> valued() {
    return commands.values().stream()
        .flatMap(command -> command.options().stream())
        .filter(option -> option.arity().min() > 0)
        .flatMap(option -> List.of(option.names()).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String option(OptionSpec option) {
    StringBuilder rule = new StringBuilder();
    for (String name : option.names()) {
      rule.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.charAt(1));
    }
    if (option.arity().min() > 0) {
      if (option.completionCandidates() != null) {
        rule.append(" -x -a ").append(values(option));
      } else {
        rule.append(isFile(option) ? " -r -F" : " -x");
      }
    }
    return rule.append(" -d ").append(quoted(UsageText.of(option))).toString();
  }

  private static boolean isFile(OptionSpec option) {
    return option.type().equals(Path.class) || option.longestName().endsWith("file");
  }

  private static String values(ArgSpec arg) {
    String values = UsageText.candidates(arg, " ");
    return values.equals(ContextNames.MARK) ? "'(__kairos_contexts)'" : quoted(values);
  }

  private static String quoted(Iterable<String> words) {
    List<String> quoted = new ArrayList<>();
    words.forEach(word -> quoted.add(quoted(word)));
    return String.join(" ", quoted);
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
