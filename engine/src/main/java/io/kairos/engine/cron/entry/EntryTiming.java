package io.kairos.engine.cron.entry;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.PeriodicEntries;
import io.kairos.domain.schedule.FireTimes;
import io.kairos.domain.schedule.RuleTerms;
import io.kairos.domain.schedule.TimePattern;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.cron.CronSyntax;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * The rule by which an entry fires. Each constructor throws {@link IllegalArgumentException} for
 * what is out of range.
 */
public sealed interface EntryTiming {
  /** At every tick. */
  record EveryTick() implements EntryTiming {}

  /**
   * At the first tick, and then at the first one that is so many places behind it in the log, and
   * so on.
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
   * At the first tick, and then that long after the tick at which it last fired: lateness adds up.
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
   * At the time that is told by a {@link BookCommand.TellSchedules}, and then not before the next
   * is told.
   */
  record Told() implements EntryTiming {}

  /**
   * At the times of a cron expression with five to seven fields, a macro, {@code @every} or
   * {@code @at}. Always in UTC: the rules of other zones differ between versions of Java, which
   * would part replicas. {@code H} and {@code ~} depend on component and position.
   *
   * @param expression up to {@value #LONGEST} printable characters of ASCII
   */
  record Cron(String expression) implements EntryTiming {
    static final int LONGEST = 200;

    /** What the expression says is read when an {@link EntryDefinition} is made of it. */
    public Cron {
      require(
          expression.length() <= LONGEST
              && !expression.chars().anyMatch(each -> each < ' ' || each > '~'),
          "a cron expression has up to " + LONGEST + " printable characters of ASCII");
    }

    /**
     * Its times for the entry at that place.
     *
     * @throws io.kairos.domain.schedule.text.RefusedExpressionException that points at what is not
     *     taken
     */
    FireTimes fireTimes(ComponentId component, int position) {
      String seed = component.value() + "-" + position;
      TimePattern pattern = TimePattern.parse(expression, CronSyntax.UNIX, seed, Instant.EPOCH);
      return new TimeRule(pattern, RuleTerms.UTC).fireTimes(Map.of());
    }
  }
}
