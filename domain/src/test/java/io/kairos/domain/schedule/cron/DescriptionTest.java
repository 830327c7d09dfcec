package io.kairos.domain.schedule.cron;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "* * * * *             | every minute, every day",
        "*/5 * * * *           | every 5 minutes, every day",
        "*/7 * * * *           | every 7th minute from 0 to 59 of every hour, every day",
        "5,10/7 * * * *        | at minutes 5 and every 7th minute from 10 to 59 of every hour, every day",
        "10/20 5,10 * * * *    | at seconds 10, 30 and 50 of minutes 5 and 10 of every hour, every day",
        "*/10 30 9-17 * * *    | every 10 seconds of minute 30 of hours 9 to 17, every day",
        "*/10 * * * * *        | every 10 seconds, every day",
        "30 * * * * *          | at second 30 of every minute, every day",
        "30 9 * * *            | at 09:30, every day",
        "15 30 9 * * *         | at 09:30:15, every day",
        "0 9,17 * * MON-FRI    | at 09:00 and 17:00, on Monday to Friday",
        "0 9-17 * * *          | at minute 0 of hours 9 to 17, every day",
        "*/15 9-17 * * MON,FRI | every 15 minutes of hours 9 to 17, on Monday and Friday",
        "0 */4 * * *           | at minute 0 of every 4 hours, every day",
        "H * * * *             | at minute 37 of every hour, every day",
        "0 0 1,15 * *          | at 00:00, on the 1st and the 15th of the month",
        "0 0 22-3 * *          | at 00:00, on the 22nd to 3rd of the month",
        "0 0 */2 * MON         | at 00:00, on every 2nd day from the 1st to the 31st of the month, but only on Monday",
        "0 0 L * *             | at 00:00, on the last day of the month",
        "0 0 LW,L-3 * *        | at 00:00, on the last working day and the 3rd day before the last of the month",
        "0 0 15W 3,12-1 *      | at 00:00, on the working day nearest to the 15th of the month, in March and December to January",
        "0 0 13 * FRI          | at 00:00, on the 13th of the month or on Friday",
        "0 0 * * 1#2,5L        | at 00:00, on the 2nd Monday of the month and the last Friday of the month",
        "0 0 0 1 1 * 2027-2030 | at 00:00, on the 1st of the month, in January, in 2027 to 2030",
        "0 0 0 1 1 * 2027/3    | at 00:00, on the 1st of the month, in January, in every 3rd year from 2027 to 2199",
        "0 0 * january friday  | at 00:00, on Friday, in January",
        "@weekly               | at 00:00, on Sunday"
      })
  void ph41_each_expression_is_said_in_english(String text, String english) {
    assertThat(CronExpression.parse(text, CronSyntax.UNIX, "x").describe()).isEqualTo(english);
  }
}
