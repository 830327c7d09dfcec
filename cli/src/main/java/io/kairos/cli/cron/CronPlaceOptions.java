package io.kairos.cli.cron;

import picocli.CommandLine.Option;

/** The place of an entry in a cron table. */
final class CronPlaceOptions {
  @Option(
      names = "--component",
      required = true,
      paramLabel = "C",
      description = "Number of the component, which has the table.")
  long component;

  @Option(
      names = "--position",
      required = true,
      paramLabel = "P",
      description = "Position in the table; entries fire in the order of their positions.")
  int position;

  @Override
  public String toString() {
    return "position " + position + " of component " + component;
  }
}
