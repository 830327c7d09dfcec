package io.kairos.model.calendar;

import io.kairos.domain.schedule.cron.CronDialect;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes random expressions from a seed: every form of every field, in both dialects. */
public final class RandomCron {
  private static final String[] MONTHS = {"JAN", "feb", "Mar", "MAY", "OCT", "DEC"};
  private static final String[] WEEKDAYS = {"SUN", "mon", "Wed", "FRI", "SAT"};

  private final RandomGenerator random;

  public RandomCron(RandomGenerator random) {
    this.random = random;
  }

  /** One that can match; what never does is drawn again. */
  public CronCase next() {
    while (true) {
      CronDialect dialect = random.nextBoolean() ? CronDialect.UNIX : CronDialect.QUARTZ;
      DayMatch match = random.nextInt(4) == 0 ? DayMatch.BOTH : DayMatch.EITHER;
      String text =
          String.join(
              " ",
              field(0, 59, new String[0]),
              field(0, 23, new String[0]),
              monthDays(),
              field(1, 12, MONTHS),
              weekdays(dialect == CronDialect.QUARTZ ? 1 : 0));
      try {
        return CronCase.of(text, new CronSyntax(dialect, match));
      } catch (RefusedExpressionException refused) {
        if (!refused.allowed().startsWith("a day that exists")) {
          throw refused;
        }
      }
    }
  }

  private String field(int min, int max, String[] names) {
    int kind = random.nextInt(10);
    if (kind < 3) {
      return "*";
    }
    return kind < 4 ? "*/" + step(min, max) : list(() -> item(min, max, names));
  }

  private String list(Supplier<String> item) {
    return Stream.generate(item)
        .limit(1L + (random.nextInt(3) == 0 ? random.nextInt(3) : 0))
        .collect(Collectors.joining(","));
  }

  private String item(int min, int max, String[] names) {
    String first = value(min, max, names);
    return switch (random.nextInt(5)) {
      case 0 -> first + "-" + value(min, max, names);
      case 1 -> first + "-" + value(min, max, names) + "/" + step(min, max);
      case 2 -> first + "/" + step(min, max);
      default -> first;
    };
  }

  private String value(int min, int max, String[] names) {
    return names.length > 0 && random.nextInt(3) == 0
        ? names[random.nextInt(names.length)]
        : Integer.toString(random.nextInt(min, max + 1));
  }

  private int step(int min, int max) {
    return 1 + random.nextInt(random.nextBoolean() ? 4 : max - min);
  }

  private String monthDays() {
    return switch (random.nextInt(6)) {
      case 0, 1 -> "*";
      case 2 -> "?";
      default -> list(this::monthDay);
    };
  }

  private String monthDay() {
    return switch (random.nextInt(8)) {
      case 0 -> "L";
      case 1 -> "L-" + (1 + random.nextInt(30));
      case 2 -> "LW";
      case 3 -> "L-" + (1 + random.nextInt(30)) + "W";
      case 4 -> (1 + random.nextInt(31)) + "W";
      default -> item(1, 31, new String[0]);
    };
  }

  private String weekdays(int sunday) {
    return switch (random.nextInt(6)) {
      case 0, 1 -> "*";
      case 2 -> "?";
      default -> list(() -> weekday(sunday));
    };
  }

  private String weekday(int sunday) {
    String day = value(sunday, sunday + 6, WEEKDAYS);
    return switch (random.nextInt(5)) {
      case 0 -> day + "L";
      case 1 -> day + "#" + (1 + random.nextInt(5));
      default -> item(sunday, sunday + 6, WEEKDAYS);
    };
  }
}
