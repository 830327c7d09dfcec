package io.kairos.engine.cron.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.engine.cron.entry.BookCommand.ScheduleTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Schedules that replicas decide, as entries. */
class BookSchedulesTest {
  private static final ScheduleName CLOSE = new ScheduleName("billing/close");
  private static final ScheduleName OPEN = new ScheduleName("billing/open");
  private static final ScheduleName THIRD = new ScheduleName("third");

  private final BookRun run = new BookRun();

  private static ScheduleTime at(ScheduleName schedule, long millis) {
    return new ScheduleTime(schedule, Instant.ofEpochMilli(millis));
  }

  private static ScheduleTime never(ScheduleName schedule) {
    return new ScheduleTime(schedule, null);
  }

  private BookReply tell(ScheduleTime... times) {
    return run.submit(new BookCommand.TellSchedules(List.of(times)));
  }

  private void tick(long millis) {
    run.tick(EntryBook.SCHEDULES, millis);
  }

  private static List<ScheduleName> waiting(BookRun run) {
    List<DecidedSchedule> waiting = run.book.waitingSchedules();
    assertThat(waiting)
        .hasSize(run.book.waitingScheduleCount())
        .allMatch(DecidedSchedule::isWaiting);
    return waiting.stream().map(DecidedSchedule::name).toList();
  }

  private List<String> entries() {
    return run.book.entries(EntryBook.SCHEDULES, -1, 100).stream()
        .map(state ->
            "%d %s %s".formatted(state.entry().position(), state.entry().work(), state.next()))
        .toList();
  }

  @Test
  void cc25_a_schedule_fires_at_the_time_it_is_told_and_waits_to_be_told_the_next() {
    assertThat(tell(at(CLOSE, 5_000), at(OPEN, 9_000))).isEqualTo(new BookReply.Done());
    tick(4_999);
    assertThat(waiting(run)).isEmpty();

    tick(5_000);

    assertThat(waiting(run)).containsExactly(CLOSE);
    assertThat(run.book.schedule(CLOSE)).hasValue(new DecidedSchedule(CLOSE, null, run.sequence));
    tick(6_000); // it has fired, and is not due again
    assertThat(run.book.journal(EntryBook.SCHEDULES, 100)).hasSize(1);

    tell(at(CLOSE, 7_000));
    assertThat(waiting(run)).isEmpty();
    assertThat(run.book.schedule(CLOSE))
        .hasValue(new DecidedSchedule(CLOSE, Instant.ofEpochMilli(7_000), run.sequence));
    tick(20_000);
    assertThat(waiting(run)).containsExactly(CLOSE, OPEN);
  }

  @Test
  void cc06_one_that_is_not_due_any_more_loses_its_entry_and_its_place_is_taken_by_the_next() {
    tell(at(CLOSE, 5_000), at(OPEN, 9_000));
    tell(never(CLOSE), never(THIRD));
    assertThat(run.book.schedules()).containsExactly(OPEN);

    tell(at(THIRD, 8_000));

    assertThat(entries())
        .containsExactly(
            "0 DecideSchedule[schedule=third] At[instant=1970-01-01T00:00:08Z]",
            "1 DecideSchedule[schedule=billing/open] At[instant=1970-01-01T00:00:09Z]");
    tick(8_500);
    assertThat(waiting(run)).containsExactly(THIRD);
    run.submit(new BookCommand.RemoveAll(EntryBook.SCHEDULES));
    assertThat(run.book.schedules()).isEmpty();
    assertThat(waiting(run)).isEmpty();
  }

  @Test
  void cc31_a_snapshot_carries_what_is_due_and_what_waits() {
    tell(at(CLOSE, 5_000), at(OPEN, 9_000));
    tick(6_000);
    BookRun other = new BookRun();

    other.machine.restore(run.machine.snapshot());

    assertThat(other.sight()).isEqualTo(run.sight());
    assertThat(waiting(other)).containsExactly(CLOSE);
    assertThat(other.book.schedule(OPEN))
        .hasValue(new DecidedSchedule(OPEN, Instant.ofEpochMilli(9_000), 0));
  }

  @Test
  void what_finds_no_room_is_said_and_the_rest_is_told() {
    BookRun small = new BookRun(3_000, true);
    ScheduleTime[] many =
        IntStream.range(0, 20)
            .mapToObj(i -> at(new ScheduleName("s-%02d".formatted(i)), 1_000))
            .toArray(ScheduleTime[]::new);

    BookReply reply = small.submit(new BookCommand.TellSchedules(List.of(many)));

    assertThat(reply).isEqualTo(new BookReply.Full());
    assertThat(small.book.schedules()).isNotEmpty().hasSizeLessThan(10);
    small.submit(
        new BookCommand.TellSchedules(
            Stream.concat(
                    Stream.of(never(new ScheduleName("s-00")), never(new ScheduleName("s-01"))),
                    Stream.of(many[19]))
                .toList()));
    assertThat(small.book.schedules()).contains(new ScheduleName("s-19"));
  }

  @Test
  void cc25_ones_whose_fires_find_no_room_in_the_journal_wait_all_the_same() {
    BookRun small = new BookRun(6_000, true);
    small.submit(new BookCommand.PutTable(new TableSettings(EntryBook.SCHEDULES)));
    small.tick(EntryBook.SCHEDULES, 500); // which takes the pages of clock and rounds
    List<ScheduleTime> many =
        IntStream.range(0, 20).mapToObj(i -> at(new ScheduleName("s-" + i), 1_000)).toList();
    small.submit(new BookCommand.TellSchedules(many));

    small.tick(EntryBook.SCHEDULES, 2_000);

    assertThat(small.machine.tables().table(EntryBook.SCHEDULES).failureCount()).isZero();
    assertThat(waiting(small)).isEqualTo(small.book.schedules());
  }

  @Test
  void clients_put_no_entry_of_a_schedule() {
    EntryDefinition forSchedule =
        new EntryDefinition(
            new ComponentId(1),
            0,
            "",
            new EntryTiming.WhenReported(),
            new EntryWork.DecideSchedule(CLOSE));
    EntryDefinition among =
        new EntryDefinition(
            EntryBook.SCHEDULES,
            0,
            "",
            new EntryTiming.EveryTick(),
            new EntryWork.Prune(Duration.ofDays(1)));

    for (EntryDefinition entry : List.of(forSchedule, among)) {
      assertThatThrownBy(() -> new BookCommand.PutEntry(entry, BookCommand.Mode.CREATE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("decider REPLICATED");
    }
  }
}
