package io.kairos.cli;

import picocli.CommandLine.Option;

/** Where an entry of a cron table is. */
final class CronPlaceOptions {
  @Option(
      names = "--component",
      required = true,
      paramLabel = "C",
      description = "Number of the component whose table it is.")
  long component;

  @Option(
      names = "--position",
      required = true,
      paramLabel = "P",
      description = "Its place in the table: entries act in the order of their positions.")
  int position;

  @Override
  public String toString() {
    return "position " + position + " of component " + component;
  }
}
