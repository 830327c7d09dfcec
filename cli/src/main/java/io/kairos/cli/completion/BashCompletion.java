package io.kairos.cli.completion;

import io.kairos.cli.option.ContextNames;
import picocli.AutoComplete;
import picocli.CommandLine;

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
    String script = AutoComplete.bash("kairos", commands);
    return script.replace("(\"" + ContextNames.MARK + "\")", "($(_kairos_contexts))") + CONTEXTS;
  }
}
