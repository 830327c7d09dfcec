package io.kairos.engine.cron.entry;

import static io.kairos.engine.cron.entry.BookRun.OURS;
import static io.kairos.engine.cron.entry.BookRun.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.outbox.Effect;
import io.kairos.domain.cron.outbox.Effect.Asking;
import io.kairos.domain.cron.outbox.PendingEffect;
import io.kairos.domain.page.PageArea;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When entries fire, what they do then, and what is told of it. */
class EntryFiresTest {
  private static final EntryTiming ALWAYS = new EntryTiming.EveryTick();
  private static final EntryWork COUNT = TestModule.run("count");

  private BookRun run = new BookRun(TestModule.COUNT);

  private void ticks(long... millis) {
    for (long each : millis) {
      run.tick(each);
    }
  }

  private EntryState find(int position) {
    return run.book.find(OURS, position).orElseThrow();
  }

  private static List<String> at(List<String> fires) {
    return fires.stream().map(line -> line.replaceFirst(".* at ", "")).toList();
  }

  @Test
  void cc18_an_entry_fires_at_every_tick() {
    run.put(entry(1, ALWAYS, COUNT));
    assertThat(find(1)).extracting(EntryState::fires, EntryState::last).containsExactly(0L, null);

    ticks(1_000, 1_500, 9_000);

    assertThat(at(run.fires())).containsExactly("1000", "1500", "9000");
    assertThat(find(1).fires()).isEqualTo(3);
    assertThat(find(1).last()).isEqualTo(new EntryFire(4, 1, AgreedTime.at(9_000)));
    assertThat(find(1).next()).isEqualTo(new NextFire.NextTick());
    assertThat(TestModule.COUNT.count(run)).isEqualTo(3);
    assertThat(TestModule.COUNT.lastRun(run)).isEqualTo("4 at 9000");
  }

  @Test
  void cc18_an_entry_fires_so_many_sequences_after_it_did() {
    run.put(entry(1, new EntryTiming.EverySequences(3), COUNT));
    assertThat(find(1).next()).isEqualTo(new NextFire.AtSequence(0));

    ticks(1, 2, 3, 4, 5);
    run.request(new byte[0]);
    ticks(6, 7);

    assertThat(run.fires()).containsExactly("2: 1 at 1", "5: 1 at 4", "8: 1 at 6");
    assertThat(find(1).next()).isEqualTo(new NextFire.AtSequence(11));
  }

  @Test
  void cc24_cc26_an_entry_fires_a_period_after_it_did() {
    run.put(entry(1, new EntryTiming.Every(Duration.ofSeconds(10)), COUNT));

    ticks(1_000, 10_999, 11_500, 21_000, 21_500, 60_000);

    assertThat(at(run.fires())).containsExactly("1000", "11500", "21500", "60000");
    assertThat(find(1).next()).isEqualTo(new NextFire.At(Instant.ofEpochMilli(70_000)));
  }

  @Test
  void an_entry_at_a_fixed_rate_tells_the_time_that_was_due() {
    run.put(
        entry(
            1,
            new EntryTiming.FixedRate(Duration.ofSeconds(10), Instant.ofEpochMilli(3_000)),
            COUNT));

    ticks(1_000, 3_500, 12_999, 13_700, 45_000);

    assertThat(at(run.fires())).containsExactly("3000", "13000", "23000");
    assertThat(find(1).last()).isEqualTo(new EntryFire(6, 1, AgreedTime.at(23_000)));
    assertThat(TestModule.COUNT.lastRun(run)).isEqualTo("6 at 23000");
    assertThat(find(1).next()).isEqualTo(new NextFire.At(Instant.ofEpochMilli(53_000)));
  }

  @Test
  void an_entry_by_a_cron_expression_tells_the_time_that_was_due() {
    run.put(entry(1, new EntryTiming.Cron("*/2 * * * *"), COUNT));

    ticks(30_000, 119_999, 120_001, 240_000, 600_001);

    assertThat(at(run.fires())).containsExactly("120000", "240000", "360000");
    assertThat(find(1).next()).isEqualTo(new NextFire.At(Instant.ofEpochMilli(720_000)));
  }

  @Test
  void entries_by_the_same_expression_with_chance_fire_at_different_times() {
    for (int position = 0; position < 20; position++) {
      run.put(entry(position, new EntryTiming.Cron("H H * * *"), COUNT));
    }
    run.tick(0);

    assertThat(run.book.entries(OURS, -1, 20).stream().map(EntryState::next).distinct().count())
        .isGreaterThan(10);
  }

  @Test
  void cc20_cc23_without_agreed_time_only_modules_run_by_ticks_and_sequences() {
    run = new BookRun(1 << 22, false, TestModule.COUNT);
    run.put(entry(1, ALWAYS, COUNT));
    run.put(entry(2, new EntryTiming.EverySequences(2), COUNT));
    run.put(entry(3, new EntryTiming.Every(Duration.ofMillis(1)), COUNT));
    run.put(entry(4, ALWAYS, new EntryWork.EnqueueTask("mail", new byte[0], "")));
    run.put(entry(5, ALWAYS, TestModule.run("task")));

    ticks(1, 2);

    assertThat(run.fires()).containsExactly("6: 1", "6: 2", "7: 1");
    assertThat(find(4).fires()).isZero();
    assertThat(run.machine.outbox().count()).isZero();
    assertThat(run.machine.tables().table(OURS).failures())
        .singleElement()
        .satisfies(failure -> assertThat(failure.position()).isEqualTo(5))
        .satisfies(failure -> assertThat(failure.count()).isEqualTo(2));
    assertThat(TestModule.COUNT.lastRun(run)).isEqualTo("7");
  }

  @Test
  void what_is_wanted_of_the_outside_waits_with_what_it_is_for() {
    run.put(
        entry(
            1,
            new EntryTiming.FixedRate(Duration.ofSeconds(10), Instant.EPOCH),
            new EntryWork.EnqueueTask("mail", new byte[] {1}, "key")));
    run.put(
        entry(
            2,
            ALWAYS,
            new EntryWork.PostMessage(
                "news", new byte[] {2}, new byte[] {3}, Duration.ofMinutes(1))));
    run.put(
        entry(
            3, ALWAYS, new EntryWork.Push("https://example.org/a", "text/plain", new byte[] {4})));

    run.tick(10_000);

    List<Effect> effects =
        run.machine.outbox().waiting().stream().map(PendingEffect::effect).toList();
    assertThat(effects)
        .extracting(effect -> effect.id().toString())
        .containsExactly("7-1-4", "7-2-4", "7-3-4");
    assertThat(effects)
        .extracting(Effect::asking)
        .containsExactly(Asking.EACH, Asking.IN_TURN, Asking.IN_TURN);
    List<EffectBody> bodies =
        effects.stream().map(effect -> EffectBody.decode(effect.body())).toList();
    assertThat(bodies)
        .extracting(EffectBody::dueAt)
        .containsExactly(
            Instant.ofEpochMilli(10_000),
            Instant.ofEpochMilli(70_000),
            Instant.ofEpochMilli(10_000));
    assertThat(bodies)
        .extracting(EffectBody::work)
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(
            new EntryWork.EnqueueTask("mail", new byte[] {1}, "key"),
            new EntryWork.PostMessage(
                "news", new byte[] {2}, new byte[] {3}, Duration.ofMinutes(1)),
            new EntryWork.Push("https://example.org/a", "text/plain", new byte[] {4}));
    assertThat(run.fires()).hasSize(3);
  }

  @Test
  void cc10_a_fire_that_throws_is_in_no_journal_and_not_counted_and_comes_again() {
    run.put(entry(1, new EntryTiming.EverySequences(1), TestModule.run("task and throw")));
    run.put(entry(2, ALWAYS, COUNT));

    ticks(1_000, 2_000);

    assertThat(run.fires()).containsExactly("3: 2 at 1000", "4: 2 at 2000");
    assertThat(find(1).fires()).isZero();
    assertThat(find(1).next()).isEqualTo(new NextFire.AtSequence(5));
    assertThat(run.machine.outbox().count()).isZero();
    assertThat(TestModule.COUNT.count(run)).isEqualTo(2);
    assertThat(run.machine.tables().table(OURS).failureCount()).isEqualTo(2);
  }

  @Test
  void a_full_outbox_makes_fires_fail_and_not_the_table() {
    run.put(entry(1, ALWAYS, new EntryWork.EnqueueTask("mail", new byte[0], "")));
    run.put(entry(2, ALWAYS, COUNT));

    for (int tick = 1; tick <= 1_010; tick++) {
      run.tick(tick);
    }

    assertThat(run.machine.outbox().count()).isEqualTo(1_000);
    assertThat(find(1).fires()).isEqualTo(1_000);
    assertThat(find(2).fires()).isEqualTo(1_010);
  }

  @Test
  void a_state_that_others_have_filled_keeps_fewer_fires_and_stops_no_work() {
    run = new BookRun(1 << 20, true, TestModule.COUNT);
    run.put(entry(1, ALWAYS, new EntryWork.EnqueueTask("mail", new byte[100], "")));
    run.put(entry(2, ALWAYS, COUNT));
    LongStream.rangeClosed(1, 200).forEach(this::ticks);
    assertThat(run.fires()).hasSize(400);
    EntryTiming never = new EntryTiming.Cron("0 0 1 1 *");
    int position = 3;
    for (int size : new int[] {3_800, 100, 0}) {
      EntryWork large = new EntryWork.EnqueueTask("mail", new byte[size], "");
      while (run.put(entry(position, never, large)).equals(new BookReply.Done())) {
        position++;
      }
    }

    LongStream.rangeClosed(201, 700).forEach(this::ticks);

    assertThat(find(1).fires()).isEqualTo(700);
    assertThat(run.machine.outbox().count()).isEqualTo(700);
    assertThat(find(2).fires()).isEqualTo(700);
    assertThat(run.machine.tables().table(OURS).failureCount()).isZero();
    assertThat(at(run.fires())).hasSizeBetween(1, 100).endsWith("700", "700");

    for (int each = 3; each < position; each++) {
      run.submit(new BookCommand.RemoveEntry(OURS, each));
    }
    LongStream.rangeClosed(701, 900).forEach(this::ticks);
    assertThat(run.fires()).hasSizeGreaterThan(400);
  }

  @Test
  void journals_give_way_to_entries() {
    run = new BookRun(1 << 18, true, TestModule.COUNT);
    run.put(entry(1, ALWAYS, new EntryWork.Prune(Duration.ofDays(1))));
    EntryWork large = new EntryWork.EnqueueTask("mail", new byte[3_800], "");
    LongStream.rangeClosed(1, 9_000).forEach(this::ticks);
    assertThat(run.book.journal(OURS, 9_000)).hasSizeBetween(4_000, 6_000);

    for (int position = 2; position < 30; position++) {
      assertThat(run.put(entry(position, new EntryTiming.Cron("0 0 1 1 *"), large)))
          .as("position %d", position)
          .isEqualTo(new BookReply.Done());
      LongStream.rangeClosed(1, 10).map(each -> 10_000 + each).forEach(this::ticks);
    }

    assertThat(run.machine.tables().table(OURS).failureCount()).isZero();
    assertThat(run.book.journal(OURS, 9_000)).hasSizeBetween(50, 2_000);
  }

  @Test
  void a_journal_without_any_room_begins_again_when_there_is_some() {
    run = new BookRun(1 << 14, true, TestModule.COUNT);
    run.put(entry(1, ALWAYS, new EntryWork.Prune(Duration.ofDays(1))));
    ticks(1, 2, 3);
    int position = 2;
    while (run.put(entry(position, new EntryTiming.Cron("0 0 1 1 *"), COUNT))
        .equals(new BookReply.Done())) {
      position++;
    }
    LongStream.rangeClosed(4, 100).forEach(this::ticks);
    List<String> few = run.fires();

    for (int each = 2; each < position; each++) {
      run.submit(new BookCommand.RemoveEntry(OURS, each));
    }
    LongStream.rangeClosed(101, 160).forEach(this::ticks);

    assertThat(few).hasSizeLessThan(50);
    assertThat(find(1).fires()).isEqualTo(160);
    assertThat(at(run.fires())).hasSizeGreaterThanOrEqualTo(60).endsWith("159", "160");
  }

  @Test
  void a_prune_forgets_what_fired_long_ago_and_needs_agreed_time() {
    run.put(entry(1, ALWAYS, COUNT));
    for (int tick = 1; tick <= 1_000; tick++) {
      run.tick(tick * 10L);
    }
    int pages = run.machine.pages().count();

    run.put(entry(2, ALWAYS, new EntryWork.Prune(Duration.ofSeconds(5))));
    run.tick(10_010);

    assertThat(at(run.fires())).hasSize(502).startsWith("5010").endsWith("10010", "10010");
    assertThat(run.machine.pages().count()).isEqualTo(pages - 10 + 1 + 1);
    ticks(1_000_000, 1_000_001);
    assertThat(at(run.fires())).containsExactly("1000000", "1000000", "1000001", "1000001");
  }

  @Test
  void the_journal_keeps_the_last_fires_and_is_bounded() {
    run.put(entry(1, ALWAYS, COUNT));
    int fires = 2 * FireJournal.LEAST_KEPT + 123;
    for (int tick = 1; tick <= fires; tick++) {
      run.tick(tick);
    }

    List<EntryFire> journal = run.book.journal(OURS, Integer.MAX_VALUE);

    assertThat(journal)
        .hasSizeBetween(
            FireJournal.LEAST_KEPT, FireJournal.LEAST_KEPT + FireJournal.FIRES_PER_PAGE);
    assertThat(journal.getFirst()).isEqualTo(new EntryFire(fires + 1, 1, AgreedTime.at(fires)));
    for (int i = 1; i < journal.size(); i++) {
      assertThat(journal.get(i).sequence()).isEqualTo(journal.get(i - 1).sequence() - 1);
    }
    assertThat(run.machine.pages().owned(PageArea.USER, BookPages.JOURNAL.owner(OURS)))
        .hasSize(200);
    assertThat(run.book.journal(OURS, 2)).isEqualTo(journal.subList(0, 2));
    assertThat(find(1).fires()).isEqualTo(fires);
  }
}
