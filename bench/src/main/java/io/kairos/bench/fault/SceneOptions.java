package io.kairos.bench.fault;

import io.kairos.bench.delay.LoadOptions;
import io.kairos.bench.rig.PlaceOptions;
import io.kairos.cli.DurationWord;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the load under which faults happen. */
final class SceneOptions {
  @Option(
      names = "--rate",
      defaultValue = "1000",
      description = "Messages per second meanwhile (default ${DEFAULT-VALUE}).")
  double rate;

  @Option(
      names = "--delay-max",
      defaultValue = "5s",
      converter = DurationWord.class,
      description = "Longest delay; the shortest is 1 s (default ${DEFAULT-VALUE}).")
  Duration delayMax = Duration.ZERO;

  @Mixin LoadOptions load = new LoadOptions();
  @Mixin PlaceOptions place = new PlaceOptions();

  Scene.Load load() {
    return new Scene.Load(rate, delayMax, load.valueBytes);
  }
}
