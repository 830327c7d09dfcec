package io.kairos.domain.schedule.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.domain.schedule.text.RefusedExpressionException;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every refusal names the field, the value, what is allowed and the place. */
class RefusalsTest {
  private static RefusedExpressionException refusal(String text) {
    RefusedExpressionException refused =
        catchThrowableOfType(
            RefusedExpressionException.class,
            () -> CronExpression.parse(text, CronSyntax.UNIX, ""));
    assertThat(refused).as(text).isNotNull();
    return refused;
  }

  @ParameterizedTest // PH-37, PH-38, PH-41
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "60 * * * *       | minute       | 60      | 0 to 59            | 0",
        "* 24 * * *       | hour         | 24      | 0 to 23            | 2",
        "* * 0 * *        | day of month | 0       | 1 to 31            | 4",
        "* * 32W * *      | day of month | 32W     | 1 to 31            | 4",
        "* * L-31 * *     | day of month | 31      | L-1 to L-30        | 6",
        "* * * 13 *       | month        | 13      | 1 to 12, or JAN    | 6",
        "* * * FOO *      | month        | FOO     | 1 to 12, or JAN    | 6",
        "* * * * 8        | day of week  | 8       | 0 to 7             | 8",
        "* * * * MONDAYS  | day of week  | MONDAYS | 0 to 7             | 8",
        "* * * * 5#6      | day of week  | 6       | #1 to #5           | 10",
        "* * * * L        | day of week  | L       | 5L for the last    | 8",
        "60 * * * * *     | second       | 60      | 0 to 59            | 0",
        "* * * * * * 1969 | year         | 1969    | 1970 to 2199       | 12",
        "* * * * * * 2200 | year         | 2200    | 1970 to 2199       | 12",
        "* * * * * * 30-20 | year        | 30-20   | 1970 to 2199       | 12",
        "*/0 * * * *      | minute       | 0       | a step of 1 to 59  | 2",
        "*/60 * * * *     | minute       | 60      | a step of 1 to 59  | 2",
        "* * * */13 *     | month        | 13      | a step of 1 to 12  | 8",
        "*/99999 * * * *  | minute       | 99999   | a step of 1 to 59  | 2",
        "*,5 * * * *      | minute       | *       | * alone            | 0",
        "5,* * * * *      | minute       | *       | * alone            | 2",
        "1,,2 * * * *     | minute       | ''      | 0 to 59            | 2",
        "1, * * * *       | minute       | ''      | 0 to 59            | 2",
        "1- * * * *       | minute       | ''      | 0 to 59            | 2",
        "-1 * * * *       | minute       | -1      | 0 to 59            | 0",
        "1-2-3 * * * *    | minute       | 1-2-3   | a-b                | 0",
        "1.5 * * * *      | minute       | 1.5     | a-b                | 0",
        "* ? * * *        | hour         | ?       | 0 to 23            | 2",
        "H(9-3) * * * *   | minute       | H(9-3)  | a range that goes up | 0",
        "H(3 * * * *      | minute       | H(3     | H(a-b)             | 0",
        "H(0-9)/11 * * * * | minute      | 11      | a step of 1 to 10  | 7",
        "* * * * * * H    | year         | H       | left to chance     | 12",
        "@reboot          | expression   | @reboot | @hourly            | 0",
        "* * * *          | expression   | ''      | 5, 6 or 7 fields   | 7",
        "* * * * * * * *  | expression   | *       | 5, 6 or 7 fields   | 14",
        "''               | expression   | ''      | 5, 6 or 7 fields   | 0",
        "0 0 30 2 *       | day of month | 30      | February has at most 29 | 4",
        "0 0 31 4,6,9 *   | day of month | 31      | April, June or September has at most 30 | 4",
        "0 0 L-30 2 *     | day of month | L-30    | February has at most 29 | 4",
        "0 0 0 29 2 * 2025-2027 | day of month | 29 | no such day in February of these years | 6"
      })
  void each_is_told_where_and_what_is_allowed(
      String text, String field, String value, String allowed, int offset) {
    RefusedExpressionException refused = refusal(text);

    assertThat(refused.field()).isEqualTo(field);
    assertThat(refused.value()).isEqualTo(value);
    assertThat(refused.allowed()).contains(allowed);
    assertThat(refused.offset()).isEqualTo(offset);
    assertThat(refused).hasMessageContaining(field).hasMessageContaining(allowed);
  }

  @Test
  void the_place_can_be_shown_below_the_expression() {
    assertThat(refusal("0 25 * * *").offset()).isEqualTo(2);
  }

  @Test
  void what_is_too_long_is_refused_before_it_is_read() {
    assertThat(refusal("1,".repeat(500_000)).offset()).isEqualTo(256);
    assertThat(refusal(" ".repeat(1_000_000)).allowed()).contains("256");
  }

  @Test
  void any_characters_are_refused_in_the_one_way() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    String characters = "0123456789*/,-?LWH#~()@ \tJANMONé\0";
    int read = 0;
    for (int round = 0; round < 50_000; round++) {
      StringBuilder text = new StringBuilder("0 0 * * *");
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        int at = random.nextInt(text.length() + 1);
        char c = characters.charAt(random.nextInt(characters.length()));
        text.replace(at, Math.min(text.length(), at + random.nextInt(2)), Character.toString(c));
      }
      try {
        CronExpression.parse(text.toString(), CronSyntax.QUARTZ, "").describe();
        read++;
      } catch (RefusedExpressionException refused) {
        assertThat(refused.offset())
            .as("-Dtest.seed=%d: %s", seed, text)
            .isBetween(0, text.length());
      }
    }
    assertThat(read).isPositive();
  }
}
