package io.kairos.cli;

import io.kairos.cli.manual.ManPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kairos man --into DIR}: manual pages of all commands. */
@Command(
    name = "man",
    description = "Writes a manual page for each command, kairos-task-list.1 and so on.",
    footer = {"", "  kairos man --into ~/.local/share/man/man1", "  man kairos-task-list"})
final class ManCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--into",
      required = true,
      paramLabel = "DIR",
      description = "Folder for the pages; it is created.")
  Path folder = Path.of("");

  @Override
  public Integer call() throws IOException {
    Map<String, String> pages = ManPage.all(spec.root());
    Files.createDirectories(folder);
    for (Map.Entry<String, String> page : pages.entrySet()) {
      Files.writeString(folder.resolve(page.getKey()), page.getValue());
    }
    spec.commandLine().getOut().printf("%d pages in %s%n", pages.size(), folder);
    return 0;
  }
}
