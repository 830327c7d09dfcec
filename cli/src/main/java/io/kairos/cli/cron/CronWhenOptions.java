package io.kairos.cli.cron;

import static io.kairos.api.text.GivenValue.ifGiven;

import com.google.protobuf.ByteString;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.CronEntry;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** When an entry of a cron table fires. */
final class CronWhenOptions {
  @ArgGroup(multiplicity = "1")
  Rule rule = new Rule();

  @Option(
      names = "--anchor",
      description = "A fire time of --rate, from which the others are counted (default 1970).")
  @Nullable Instant anchor;

  @Option(
      names = "--rule-argument",
      paramLabel = "TEXT",
      description = "Argument of the rule of --by, as UTF-8.")
  @Nullable String ruleArgument;

  /** The rule: exactly one option. */
  static final class Rule {
    @Option(
        names = "--each-tick",
        description =
            "Fires at every executed tick of its table: two per interval with three"
                + " replicas, three with five. To fire once per interval use --every.")
    boolean eachTick;

    @Option(
        names = "--sequences",
        paramLabel = "N",
        description = "Fires N requests after its last fire; needs no agreed time.")
    @Nullable Long sequences;

    @Option(names = "--every", description = "Fires this long after the tick of its last fire.")
    @Nullable Duration every;

    @Option(names = "--rate", description = "Fires at a fixed rate, see --anchor.")
    @Nullable Duration rate;

    @Option(
        names = "--cron",
        paramLabel = "EXPRESSION",
        description =
            "Fires by a cron expression, always in UTC: 5 fields ('*/5 * * * *'), 6 with"
                + " leading seconds, 7 with trailing years, or a macro such as @daily,"
                + " @every or @at.")
    @Nullable String cron;

    @Option(
        names = "--by",
        paramLabel = "MODULE",
        description = "Fires when the rule of a module of the replicas says so.")
    @Nullable String module;
  }

  /** Returns why the options contradict each other; null when they do not. */
  @Nullable String problem() {
    if (ruleArgument != null && rule.module == null) {
      return "--rule-argument goes with --by.";
    }
    return anchor != null && rule.rate == null ? "--anchor goes with --rate." : null;
  }

  /** Sets the given options on an entry. */
  void applyTo(CronEntry.Builder entry) {
    if (rule.eachTick) {
      entry.setEveryTick(true);
    }
    ifGiven(rule.sequences, entry::setEverySequences);
    ifGiven(rule.every, length -> entry.setEvery(ProtoTime.of(length)));
    ifGiven(rule.cron, entry::setCron);
    if (rule.module != null) {
      entry
          .getByModuleBuilder()
          .setModule(rule.module)
          .setArgument(ByteString.copyFromUtf8(ruleArgument == null ? "" : ruleArgument));
    }
    if (rule.rate != null) {
      CronEntry.FixedRate.Builder rate =
          entry.getFixedRateBuilder().setPeriod(ProtoTime.of(rule.rate));
      ifGiven(anchor, time -> rate.setAnchor(ProtoTime.of(time)));
    }
  }
}
