package io.kairos.engine.cron.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.page.PageArea;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.LogReply;
import io.kairos.engine.cron.module.ModuleState;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BookLimitsTest {
  private static final EntryWork WORK = new EntryWork.Prune(Duration.ofDays(1));
  private static final EntryTiming EVERY_HOUR = new EntryTiming.Every(Duration.ofHours(1));

  private final BookRun run = new BookRun(CronMachine.Config.DEFAULT_MAX_BYTES, true);

  private BookReply put(long component, int position) {
    return run.put(new EntryDefinition(new ComponentId(component), position, "", EVERY_HOUR, WORK));
  }

  @Test
  void cc_f2_a_hundred_thousand_entries_fit_into_one_table() {
    for (int position = 0; position < EntryBook.MOST_ENTRIES; position++) {
      assertThat(put(7, position)).isEqualTo(new BookReply.Done());
    }

    assertThat(put(8, 0)).isEqualTo(new BookReply.Full());
    assertThat(run.tick(1_000)).isEqualTo(LogReply.EVALUATED);
    assertThat(run.book.find(BookRun.OURS, 99_999))
        .hasValueSatisfying(state -> assertThat(state.fires()).isEqualTo(1));
    assertThat(run.submit(new BookCommand.RemoveAll(BookRun.OURS)))
        .isEqualTo(new BookReply.Removed(EntryBook.MOST_ENTRIES));
  }

  @Test
  void next_times_have_room_however_entries_are_spread_and_whatever_modules_keep() {
    for (int component = 0; component < EntryBook.MOST_TABLES; component++) {
      for (int position = 0; position <= EntryDefinition.LAST_POSITION; position += 400) {
        assertThat(put(component, position)).isEqualTo(new BookReply.Done());
      }
    }
    ModuleState hungry = new ModuleState("hungry", run.machine.pages());
    assertThatThrownBy(() ->
            IntStream.iterate(0, page -> page + 1).forEach(page -> hungry.write(page, new byte[1])))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no room");

    for (int component = 0; component < EntryBook.MOST_TABLES; component++) {
      assertThat(run.tick(new ComponentId(component), component)).isEqualTo(LogReply.EVALUATED);
    }

    assertThat(run.machine.pages().in(PageArea.SCHEDULE)).hasSize(EntryBook.MOST_TABLES * 250);
  }
}
