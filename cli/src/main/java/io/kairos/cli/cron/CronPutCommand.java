package io.kairos.cli.cron;

import io.kairos.api.v1.CronEntry;
import io.kairos.cli.command.PartCommand;
import io.kairos.client.CronClient;
import java.io.IOException;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kairos cron put}: puts an entry into a table. */
@Command(
    name = "put",
    description = {
      "Puts an entry into a table, and creates the table if it does not exist:",
      "kairos cron put --component 1 --position 10 --every 10s --task mail --payload hello",
      "Exit code 1 when the position is taken, unless --replace is given."
    })
final class CronPutCommand extends PartCommand {

  @Mixin CronPlaceOptions place = new CronPlaceOptions();
  @Mixin CronWhenOptions when = new CronWhenOptions();
  @Mixin CronWorkOptions work = new CronWorkOptions();

  @Option(
      names = "--title",
      defaultValue = "",
      description = "Title for operators; at most 120 characters.")
  String title = "";

  @Option(names = "--replace", description = "Replaces an existing entry at the position.")
  boolean replace;

  @Override
  public Integer call() throws IOException {
    Stream.of(when.problem(), work.problem())
        .filter(Objects::nonNull)
        .findFirst()
        .ifPresent(problem -> {
          throw wrongUsage(problem);
        });
    CronEntry.Builder entry =
        CronEntry.newBuilder()
            .setComponent(place.component)
            .setPosition(place.position)
            .setTitle(title);
    when.applyTo(entry);
    work.applyTo(entry);
    return group()
        .tell(client -> {
          CronClient cron = client.cron();
          var given = io.kairos.client.CronEntry.ofMessage(entry.build().toByteArray());
          long sequence = replace ? cron.replace(given) : cron.create(given);
          return "%s: put, at sequence %d".formatted(place, sequence);
        });
  }
}
