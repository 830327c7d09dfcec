package io.kairos.engine.cron.entry;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.PeriodicEntries;
import io.kairos.domain.schedule.FireTimes;
import io.kairos.domain.schedule.RuleTerms;
import io.kairos.domain.schedule.TimePattern;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.engine.cron.module.CronModule;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * The rule by which an entry fires. Each constructor throws {@link IllegalArgumentException} for a
 * value out of range.
 */
public sealed interface EntryTiming {
  /** True if no tick without a time can be due. */
  default boolean needsTime() {
    return switch (this) {
      case EveryTick _, EverySequences _, ByModule _ -> false;
      case Every _, FixedRate _, WhenReported _, Cron _ -> true;
    };
  }

  /** At every tick. */
  record EveryTick() implements EntryTiming {}

  /**
   * At the first tick, and then each time at the first tick that is at least {@code count} places
   * later in the log.
   *
   * @param count from 1 to {@value #MOST}
   */
  record EverySequences(long count) implements EntryTiming {
    static final long MOST = 1_000_000_000_000L;

    public EverySequences {
      require(
          count >= 1 && count <= MOST,
          "an entry fires every 1 to " + MOST + " sequences, not every ",
          count);
    }
  }

  /**
   * At the first tick, and then each time one period after the tick of the last fire. Lateness adds
   * up.
   *
   * @param period whole milliseconds up to 3,650 days
   */
  record Every(Duration period) implements EntryTiming {
    public Every {
      PeriodicEntries.periodMillis(period);
    }
  }

  /**
   * At the anchor and whole periods from it, before and after.
   *
   * @param period whole milliseconds up to 3,650 days
   * @param anchor whole milliseconds
   */
  record FixedRate(Duration period, Instant anchor) implements EntryTiming {
    public FixedRate {
      PeriodicEntries.periodMillis(period);
      new AgreedTime.At(anchor);
    }
  }

  /**
   * At the time that a {@link BookCommand.TellSchedules} reports, and then not before the next
   * report.
   */
  record WhenReported() implements EntryTiming {}

  /** At the ticks at which the rule of a user's module says so. */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record ByModule(String module, byte[] argument) implements EntryTiming {
    public ByModule {
      requireNonNull(argument, "argument");
      require(CronModule.isName(module), "a module's name has " + CronModule.NAME_RULE);
    }
  }

  /**
   * At the times of a cron expression with five to seven fields, a macro, {@code @every} or {@code
   * @at}. Always in UTC: rules of other zones differ between versions of Java, and replicas would
   * diverge. {@code H} and {@code ~} depend on component and position.
   *
   * @param expression at most {@value #LONGEST} printable ASCII characters
   */
  record Cron(String expression) implements EntryTiming {
    static final int LONGEST = 200;

    /** Does not parse the expression; {@link EntryDefinition} does. */
    public Cron {
      require(
          expression.length() <= LONGEST
              && !expression.chars().anyMatch(each -> each < ' ' || each > '~'),
          "a cron expression has up to " + LONGEST + " printable characters of ASCII");
    }

    /**
     * The fire times of the entry at this position.
     *
     * @throws io.kairos.domain.schedule.text.RefusedExpressionException with the position of the
     *     fault
     */
    FireTimes fireTimes(ComponentId component, int position) {
      String seed = component.value() + "-" + position;
      TimePattern pattern = TimePattern.parse(expression, CronSyntax.UNIX, seed, Instant.EPOCH);
      return new TimeRule(pattern, RuleTerms.UTC).fireTimes(Map.of());
    }
  }
}
