package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.api.v1.CronEntry;
import io.kairos.client.CronClient;
import io.kairos.client.KairosClient;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code kairos cron put}: an entry from options. */
@Command(
    name = "put",
    mixinStandardHelpOptions = true,
    description = {
      "Puts an entry into a table, which is made if there is none:",
      "kairos cron put --component 1 --position 10 --every 10s --task mail --payload hello",
      "Exit code 1 when its position is taken, unless it is to be replaced."
    })
final class CronPutCommand implements Callable<Integer> {
  @ParentCommand @Nullable CronCommand group;
  @Spec CommandSpec spec = CommandSpec.create();

  @Mixin CronPlaceOptions place = new CronPlaceOptions();
  @Mixin CronWhenOptions when = new CronWhenOptions();
  @Mixin CronWorkOptions work = new CronWorkOptions();

  @Option(
      names = "--title",
      defaultValue = "",
      description = "What it is, for people; at most 120 characters.")
  String title = "";

  @Option(names = "--replace", description = "Puts it in the place of an entry that is there.")
  boolean replace;

  @Override
  public Integer call() throws IOException {
    Stream.of(when.problem(), work.problem())
        .filter(Objects::nonNull)
        .findFirst()
        .ifPresent(problem -> {
          throw new ParameterException(spec.commandLine(), problem);
        });
    CronEntry.Builder entry =
        CronEntry.newBuilder()
            .setComponent(place.component)
            .setPosition(place.position)
            .setTitle(title);
    when.applyTo(entry);
    work.applyTo(entry);
    try (KairosClient client = requireNonNull(group).connect()) {
      CronClient cron = client.cron();
      long sequence = replace ? cron.replace(entry.build()) : cron.create(entry.build());
      group.out().println("%s: put, at sequence %d".formatted(place, sequence));
    }
    return 0;
  }
}
