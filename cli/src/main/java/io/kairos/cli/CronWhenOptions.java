package io.kairos.cli;

import com.google.protobuf.Timestamp;
import io.kairos.api.v1.CronEntry;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** When an entry of a cron table acts. */
final class CronWhenOptions {
  @ArgGroup(multiplicity = "1")
  Rule rule = new Rule();

  @Option(
      names = "--anchor",
      description = "One of the times of --rate, from which the others are counted (default 1970).")
  @Nullable Instant anchor;

  /** Exactly one of them. */
  static final class Rule {
    @Option(
        names = "--each-tick",
        description =
            "Acts at every tick of its table that is executed: two in each period with three"
                + " replicas, three with five. For once a period see --every.")
    boolean eachTick;

    @Option(
        names = "--sequences",
        paramLabel = "N",
        description = "Acts when N requests have been executed since; needs no agreed time.")
    @Nullable Long sequences;

    @Option(
        names = "--every",
        converter = DurationWord.class,
        description = "Acts that long after the tick at which it acted last.")
    @Nullable Duration every;

    @Option(
        names = "--rate",
        converter = DurationWord.class,
        description = "Acts at a fixed rate, see --anchor.")
    @Nullable Duration rate;

    @Option(
        names = "--cron",
        paramLabel = "EXPRESSION",
        description =
            "Acts by a cron expression, always in UTC: 5 fields ('*/5 * * * *'), 6 with seconds in"
                + " front, 7 with years behind, a macro such as @daily, @every or @at.")
    @Nullable String cron;
  }

  /** Why what is given makes no sense; null when it does. */
  @Nullable String problem() {
    return anchor != null && rule.rate == null ? "--anchor goes with --rate." : null;
  }

  /** Sets what is given. */
  void applyTo(CronEntry.Builder entry) {
    if (rule.eachTick) {
      entry.setEveryTick(true);
    }
    if (rule.sequences != null) {
      entry.setEverySequences(rule.sequences);
    }
    if (rule.every != null) {
      entry.setEvery(CronText.wire(rule.every));
    }
    if (rule.cron != null) {
      entry.setCron(rule.cron);
    }
    if (rule.rate != null) {
      CronEntry.FixedRate.Builder rate =
          entry.getFixedRateBuilder().setPeriod(CronText.wire(rule.rate));
      if (anchor != null) {
        rate.setAnchor(
            Timestamp.newBuilder().setSeconds(anchor.getEpochSecond()).setNanos(anchor.getNano()));
      }
    }
  }
}
