package io.kairos.engine.cron.entry;

import static io.kairos.engine.cron.entry.BookRun.OURS;
import static io.kairos.engine.cron.entry.BookRun.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.page.PageArea;
import io.kairos.engine.cron.LogReply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntryBookTest {
  private static final BookReply DONE = new BookReply.Done();
  private static final BookReply NOT_FOUND = new BookReply.NotFound();
  private static final ComponentId OTHER = new ComponentId(0xffff_fffeL);
  private static final EntryTiming ALWAYS = new EntryTiming.EveryTick();
  private static final EntryTiming EVERY_SECOND = new EntryTiming.Every(Duration.ofSeconds(1));
  private static final EntryWork COUNT = TestModule.run("count");

  private final BookRun run = new BookRun(TestModule.COUNT);

  private CronTable table() {
    return run.machine.tables().find(OURS).orElseThrow();
  }

  private EntryState find(int position) {
    return run.book.find(OURS, position).orElseThrow();
  }

  @Test
  void cc12_a_table_is_made_by_its_first_entry_or_before_it() {
    assertThat(run.tick(1_000)).isEqualTo(LogReply.UNKNOWN_COMPONENT);

    assertThat(run.put(entry(1, ALWAYS, COUNT))).isEqualTo(DONE);
    TableSettings other = new TableSettings(OTHER, Duration.ofMillis(20));
    assertThat(run.submit(new BookCommand.PutTable(other))).isEqualTo(DONE);

    assertThat(run.book.tables())
        .containsExactly(new TableSettings(OURS, Duration.ofSeconds(1)), other);
    assertThat(run.tick(OTHER, 1_000)).isEqualTo(LogReply.EVALUATED);
    assertThat(run.tick(1_000)).isEqualTo(LogReply.EVALUATED);
  }

  @Test
  void a_table_that_is_put_again_ticks_otherwise_and_keeps_its_entries() {
    run.put(entry(1, ALWAYS, COUNT));

    run.submit(new BookCommand.PutTable(new TableSettings(OURS, Duration.ZERO)));

    assertThat(run.book.tables()).containsExactly(new TableSettings(OURS, Duration.ZERO));
    assertThat(table().count()).isEqualTo(1);
  }

  @Test
  void cc1_entries_fire_in_order_of_position() {
    for (int position : List.of(5, 1, 99_999, 3)) {
      run.put(entry(position, ALWAYS, COUNT));
    }

    run.tick(1_000);

    assertThat(run.fires())
        .containsExactly("5: 1 at 1000", "5: 3 at 1000", "5: 5 at 1000", "5: 99999 at 1000");
  }

  @Test
  void cc9_a_taken_position_is_kept_unless_it_is_to_be_replaced() {
    EntryDefinition first = new EntryDefinition(OURS, 1, "first", EVERY_SECOND, COUNT);
    run.put(first);
    run.tick(1_000);

    assertThat(run.put(new EntryDefinition(OURS, 1, "second", ALWAYS, COUNT)))
        .isEqualTo(new BookReply.PositionInUse());

    assertThat(find(1).entry()).usingRecursiveComparison().isEqualTo(first);
    assertThat(find(1).fires()).isEqualTo(1);
    assertThat(table().nextFire(1)).contains(Instant.ofEpochMilli(2_000));
    run.tick(1_001);
    assertThat(run.fires()).hasSize(1);
  }

  @Test
  void a_replaced_entry_begins_anew() {
    run.put(entry(1, EVERY_SECOND, COUNT));
    run.tick(1_000);

    assertThat(run.replace(entry(1, new EntryTiming.Every(Duration.ofSeconds(9)), COUNT)))
        .isEqualTo(DONE);

    assertThat(find(1).fires()).isZero();
    assertThat(find(1).last()).isNull();
    assertThat(find(1).next()).isEqualTo(new NextFire.NotKnown());
    assertThat(run.machine.pages().in(PageArea.SCHEDULE)).isEmpty();
    run.tick(1_001);
    assertThat(find(1).next()).isEqualTo(new NextFire.At(Instant.ofEpochMilli(10_001)));
    assertThat(run.fires()).hasSize(2);
  }

  @Test
  void one_that_is_replaced_by_the_same_goes_on() {
    run.put(entry(1, EVERY_SECOND, COUNT));
    run.tick(1_000);
    EntryState before = find(1);

    assertThat(run.replace(entry(1, EVERY_SECOND, COUNT))).isEqualTo(DONE);

    assertThat(find(1)).usingRecursiveComparison().isEqualTo(before);
    run.tick(1_001);
    assertThat(run.fires()).hasSize(1);
  }

  @Test
  void a_replaced_entry_that_counts_sequences_begins_anew() {
    run.put(entry(1, new EntryTiming.EverySequences(1_000), COUNT));
    run.tick(1_000);
    run.tick(1_001);
    assertThat(find(1).next()).isEqualTo(new NextFire.AtSequence(1_002));

    run.replace(entry(1, new EntryTiming.EverySequences(2_000), COUNT));
    run.tick(1_002);

    assertThat(run.fires()).containsExactly("2: 1 at 1000", "5: 1 at 1002");
    assertThat(find(1).next()).isEqualTo(new NextFire.AtSequence(2_005));
  }

  @Test
  void cc6_an_entry_is_removed_with_its_next_time_and_its_count_and_stays_in_the_journal() {
    run.put(entry(1, EVERY_SECOND, COUNT));
    run.put(entry(2, EVERY_SECOND, COUNT));
    run.tick(1_000);

    assertThat(run.submit(new BookCommand.RemoveEntry(OURS, 1))).isEqualTo(DONE);

    assertThat(run.submit(new BookCommand.RemoveEntry(OURS, 1))).isEqualTo(NOT_FOUND);
    assertThat(run.submit(new BookCommand.RemoveEntry(OURS, -1))).isEqualTo(NOT_FOUND);
    assertThat(run.submit(new BookCommand.RemoveEntry(OTHER, 2))).isEqualTo(NOT_FOUND);
    assertThat(run.book.find(OURS, 1)).isEmpty();
    assertThat(table().nextFire(1)).isEmpty();
    run.tick(2_000);
    assertThat(run.fires()).containsExactly("3: 1 at 1000", "3: 2 at 1000", "8: 2 at 2000");
    run.put(entry(1, EVERY_SECOND, COUNT));
    assertThat(find(1).fires()).isZero();
  }

  @Test
  void cc7_all_entries_are_removed_and_counted_and_their_table_stays() {
    run.put(entry(1, EVERY_SECOND, COUNT));
    run.put(entry(900, EVERY_SECOND, COUNT));
    run.put(entry(901, ALWAYS, COUNT));
    run.tick(1_000);

    assertThat(run.submit(new BookCommand.RemoveAll(OURS))).isEqualTo(new BookReply.Removed(3));

    assertThat(run.submit(new BookCommand.RemoveAll(OURS))).isEqualTo(new BookReply.Removed(0));
    assertThat(run.submit(new BookCommand.RemoveAll(OTHER))).isEqualTo(NOT_FOUND);
    assertThat(run.book.entries(OURS, -1, 10)).isEmpty();
    assertThat(table().count()).isZero();
    assertThat(run.machine.pages().in(PageArea.SCHEDULE)).isEmpty();
    assertThat(run.fires()).hasSize(3);
    assertThat(run.tick(2_000)).isEqualTo(LogReply.EVALUATED);
  }

  @Test
  void cc12_a_removed_table_leaves_nothing_and_its_ticks_are_of_no_component() {
    run.submit(new BookCommand.PutTable(new TableSettings(OTHER)));
    run.tick(OTHER, 500);
    List<?> before = run.machine.pages().in(PageArea.USER);
    run.put(entry(1, EVERY_SECOND, COUNT));
    run.put(entry(2, ALWAYS, TestModule.run("throw")));
    run.tick(1_000);
    assertThat(run.machine.pages().in(PageArea.FAILURES)).hasSize(1);

    assertThat(run.submit(new BookCommand.RemoveTable(OURS))).isEqualTo(new BookReply.Removed(2));

    assertThat(run.tick(2_000)).isEqualTo(LogReply.UNKNOWN_COMPONENT);
    assertThat(run.submit(new BookCommand.RemoveTable(OURS))).isEqualTo(NOT_FOUND);
    assertThat(run.machine.pages().in(PageArea.FAILURES)).isEmpty();
    assertThat(run.machine.pages().in(PageArea.SCHEDULE)).isEmpty();
    assertThat(run.machine.pages().in(PageArea.ROUNDS)).hasSize(1);
    assertThat(run.machine.pages().in(PageArea.USER))
        .as("but for the module's, which counted once")
        .hasSize(before.size() + 2);
    assertThat(run.book.journal(OURS, 10)).isEmpty();
    assertThat(run.book.tables()).containsExactly(new TableSettings(OTHER));
    run.put(entry(1, EVERY_SECOND, COUNT));
    assertThat(run.tick(3_000)).isEqualTo(LogReply.EVALUATED);
    assertThat(table().failureCount()).isZero();
    assertThat(run.fires()).hasSize(1);
  }

  @Test
  void cc8_entries_are_found_by_position_and_listed_page_by_page() {
    for (int position = 0; position < 10; position++) {
      run.put(entry(position * 3, ALWAYS, COUNT));
    }

    assertThat(run.book.find(OURS, 4)).isEmpty();
    assertThat(run.book.find(OURS, -4)).isEmpty();
    assertThat(find(6).entry().position()).isEqualTo(6);
    assertThat(run.book.entries(OURS, -1, 4))
        .extracting(state -> state.entry().position())
        .containsExactly(0, 3, 6, 9);
    assertThat(run.book.entries(OURS, 9, 100))
        .extracting(state -> state.entry().position())
        .containsExactly(12, 15, 18, 21, 24, 27);
    assertThat(run.book.entries(OTHER, -1, 100)).isEmpty();
  }

  @Test
  void an_entry_of_a_module_that_is_not_there_is_not_taken() {
    EntryDefinition entry = entry(1, ALWAYS, new EntryWork.Run("unknown", new byte[0]));

    assertThat(run.put(entry)).isEqualTo(new BookReply.UnknownModule());
    assertThat(run.replace(entry)).isEqualTo(new BookReply.UnknownModule());
    assertThat(run.machine.pages().count()).isZero();
    assertThat(run.machine.tables().count()).isZero();
  }

  @Test
  void what_is_no_command_is_told_why_and_does_nothing() {
    byte[] command =
        new BookCommand.PutEntry(
                entry(1, new EntryTiming.Cron("0 0 * * *"), COUNT), BookCommand.Mode.CREATE)
            .encode();
    String text = new String(command, StandardCharsets.ISO_8859_1);
    byte[] refused = text.replace("0 0 * * *", "0 x * * *").getBytes(StandardCharsets.ISO_8859_1);

    byte[] reply = run.request(refused);

    assertThat(BookReply.decode(Arrays.copyOfRange(reply, 1, reply.length)))
        .isInstanceOfSatisfying(
            BookReply.Invalid.class,
            invalid -> assertThat(invalid.message()).startsWith("hour: \"x\" at 2 is refused"));
    assertThat(run.machine.tables().count()).isZero();
    assertThat(run.machine.pages().count()).isZero();
  }

  @Test
  void where_pages_are_full_nothing_is_half_done() {
    BookRun small = new BookRun(6_000, true, TestModule.COUNT);
    int position = 0;
    while (small.put(entry(position, ALWAYS, COUNT)).equals(DONE)) {
      position++;
    }

    assertThat(position).isEqualTo(14);
    assertThat(small.put(entry(position, ALWAYS, COUNT))).isEqualTo(new BookReply.Full());
    assertThat(small.replace(new EntryDefinition(OTHER, 0, "", ALWAYS, COUNT)))
        .isEqualTo(new BookReply.Full());
    assertThat(small.machine.tables().components()).containsExactly(OURS);
    assertThat(small.machine.tables().table(OURS).count()).isEqualTo(position);
    assertThat(small.book.entries(OURS, -1, 100)).hasSize(position);
    assertThat(small.replace(entry(0, EVERY_SECOND, COUNT)))
        .as("there is room for a few bytes")
        .isEqualTo(DONE);
    assertThat(small.submit(new BookCommand.RemoveEntry(OURS, 1))).isEqualTo(DONE);
    assertThat(small.put(entry(1, ALWAYS, COUNT))).isEqualTo(DONE);
  }

  @Test
  void there_are_so_many_tables() {
    for (int component = 0; component < EntryBook.MOST_TABLES; component++) {
      assertThat(run.submit(putTable(component))).isEqualTo(DONE);
    }

    assertThat(run.submit(putTable(1_000))).isEqualTo(new BookReply.Full());
    assertThat(run.put(new EntryDefinition(OTHER, 0, "", ALWAYS, COUNT)))
        .isEqualTo(new BookReply.Full());
    assertThat(run.submit(putTable(7))).isEqualTo(DONE);
    assertThat(run.book.tables()).hasSize(EntryBook.MOST_TABLES);
    assertThat(run.machine.tables().count()).isEqualTo(EntryBook.MOST_TABLES);
  }

  private static BookCommand putTable(long component) {
    return new BookCommand.PutTable(new TableSettings(new ComponentId(component)));
  }

  @Test
  void a_book_without_a_machine_has_nothing_to_read() {
    assertThatThrownBy(() -> new EntryBook(List.of()).tables())
        .isInstanceOf(IllegalStateException.class);
  }
}
