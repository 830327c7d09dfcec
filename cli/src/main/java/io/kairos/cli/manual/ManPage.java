package io.kairos.cli.manual;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.kairos.cli.text.UsageText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The manual page of a command, made from the same model as {@code --help}. The generator of
 * picocli makes AsciiDoc, whose converter is a Ruby program.
 */
public final class ManPage {
  private final CommandSpec command;
  private final Roff page = new Roff();

  private ManPage(CommandSpec command) {
    this.command = command;
  }

  /** Returns the pages of a command and of all below it, by their file names. */
  public static SortedMap<String, String> all(CommandSpec main) {
    SortedMap<String, String> pages = new TreeMap<>();
    add(pages, main);
    return pages;
  }

  private static void add(Map<String, String> pages, CommandSpec command) {
    pages.put(name(command) + ".1", new ManPage(command).write());
    command.subcommands().values().forEach(below -> add(pages, below.getCommandSpec()));
  }

  private static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  private String write() {
    String version = requireNonNull(ManPage.class.getPackage()).getImplementationVersion();
    page.request(
        "TH",
        name(command).toUpperCase(Locale.ROOT),
        "1",
        "",
        "Kairos " + requireNonNullElse(version, ""),
        "Kairos");
    page.request("SH", "NAME")
        .line(name(command) + " - " + UsageText.first(command))
        .request("SH", "SYNOPSIS")
        .line(
            new Help(command, Help.defaultColorScheme(Help.Ansi.OFF))
                .synopsis(0)
                .replaceAll("\\s+", " ")
                .strip())
        .request("SH", "DESCRIPTION")
        .line(UsageText.of(command));
    parameters();
    commands();
    exitCodes();
    footer();
    seeAlso();
    return page.toString();
  }

  private void parameters() {
    List<OptionSpec> own =
        command.options().stream().filter(option -> !option.inherited()).toList();
    page.request("SH", "OPTIONS");
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      entry(Roff.italic(parameter.paramLabel()), UsageText.of(parameter));
    }
    own.forEach(option -> entry(names(option), UsageText.of(option)));
    if (command.parent() != null) {
      page.request("PP").line("Options of all commands are in kairos(1).");
    }
  }

  private static String names(OptionSpec option) {
    String names = Stream.of(option.names()).map(Roff::bold).collect(Collectors.joining(", "));
    String value = Roff.italic(option.paramLabel());
    if (option.arity().max() == 0) {
      return names;
    }
    return names + (option.arity().min() == 0 ? "[=" + value + "]" : "=" + value);
  }

  private void entry(String tag, String text) {
    page.request("TP").formatted(tag).line(text);
  }

  private void commands() {
    if (!command.subcommands().isEmpty()) {
      page.request("SH", "COMMANDS");
      command.subcommands().values().stream()
          .map(below -> below.getCommandSpec())
          .distinct()
          .forEach(below -> entry(Roff.bold(name(below)) + "(1)", UsageText.first(below)));
    }
  }

  private void exitCodes() {
    Map<String, String> codes = command.usageMessage().exitCodeList();
    if (!codes.isEmpty()) {
      page.request("SH", "EXIT STATUS");
      codes.forEach((code, text) -> entry(Roff.bold(code.strip()), text));
    }
  }

  /** Adds the examples and remarks below the help as they are. */
  private void footer() {
    String[] lines = command.usageMessage().footer();
    if (lines.length > 0) {
      page.request("SH", "NOTES").request("nf");
      Stream.of(lines).dropWhile(String::isBlank).forEach(page::line);
      page.request("fi");
    }
  }

  private void seeAlso() {
    CommandSpec above = command.parent();
    if (above != null) {
      page.request("SH", "SEE ALSO").formatted(Roff.bold(name(above)) + "(1)");
    }
  }
}
