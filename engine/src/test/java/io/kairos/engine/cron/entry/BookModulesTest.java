package io.kairos.engine.cron.entry;

import static io.kairos.engine.cron.entry.BookRun.OURS;
import static io.kairos.engine.cron.entry.BookRun.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.EntryCallback;
import io.kairos.domain.cron.EntryFailure;
import io.kairos.domain.cron.outbox.PendingEffect;
import io.kairos.engine.cron.LogReply;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleEffects;
import io.kairos.engine.cron.module.ModuleState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BookModulesTest {
  private static final EntryTiming ALWAYS = new EntryTiming.EveryTick();
  private static final EntryTiming EVERY_TWO_SECONDS = TestModule.rule("every two seconds");

  private final TestModule other = new TestModule("other");
  private final BookRun run = new BookRun(TestModule.COUNT, other);

  private static BookCommand ask(String module, String body) {
    return new BookCommand.ToModule(module, body.getBytes(StandardCharsets.UTF_8));
  }

  private long asked(String module) {
    return run.submit(ask(module, "")) instanceof BookReply.FromModule(var reply)
        ? ByteBuffer.wrap(reply).getLong()
        : -1;
  }

  @Test
  void a_request_reaches_its_module_which_keeps_pages_of_its_own() {
    assertThat(asked("count")).isEqualTo(1);
    assertThat(asked("count")).isEqualTo(2);
    assertThat(asked("other")).isEqualTo(1);

    assertThat(run.submit(ask("third", ""))).isEqualTo(new BookReply.UnknownModule());
    assertThat(new ModuleState("count", run.machine.pages()).pages()).containsExactly(0);
    assertThat(new ModuleState("third", run.machine.pages()).pages()).isEmpty();
  }

  @Test
  void cc10_what_a_module_wrote_before_it_threw_is_taken_back() {
    asked("count");

    assertThat(LogReply.of(run.request(ask("count", "!").encode()))).isEqualTo(LogReply.FAILED);

    assertThat(TestModule.COUNT.count(run)).isEqualTo(1);
    run.put(entry(1, ALWAYS, TestModule.run("throw")));
    run.tick(1_000);
    assertThat(TestModule.COUNT.count(run)).isEqualTo(1);
    assertThat(run.machine.tables().table(OURS).failures())
        .extracting(EntryFailure::kind)
        .containsExactly("java.lang.IllegalArgumentException");
  }

  @Test
  void a_module_has_one_wish_a_run_and_its_argument_is_its_own() {
    run.put(entry(1, ALWAYS, TestModule.run("task")));
    run.put(entry(2, ALWAYS, TestModule.run("message")));
    run.put(entry(3, ALWAYS, TestModule.run("push")));
    run.put(entry(4, ALWAYS, TestModule.run("push to pool")));
    run.put(entry(5, ALWAYS, TestModule.run("two tasks")));

    run.tick(1_000);
    run.tick(2_000);

    assertThat(run.machine.outbox().waiting())
        .extracting(PendingEffect::id)
        .extracting(Object::toString)
        .containsExactly("7-1-6", "7-2-6", "7-3-6", "7-4-6", "7-1-7", "7-2-7", "7-3-7", "7-4-7");
    assertThat(
            run.machine.outbox().waiting().stream()
                .map(waiting -> EffectBody.decode(waiting.effect().body()).work()))
        .hasOnlyElementsOfTypes(
            EntryWork.EnqueueTask.class,
            EntryWork.PostMessage.class,
            EntryWork.Push.class,
            EntryWork.PushToPool.class);
  }

  @Test
  void cc2_cc18_a_rule_of_a_module_decides_when_an_entry_is_due_next() {
    run.put(entry(1, EVERY_TWO_SECONDS, TestModule.run("count")));
    run.put(entry(2, EVERY_TWO_SECONDS, new EntryWork.EnqueueTask("mail", new byte[0], "")));
    assertThat(run.book.find(OURS, 1))
        .hasValueSatisfying(state -> assertThat(state.next()).isEqualTo(new NextFire.NotKnown()));

    for (long millis = 1_000; millis <= 5_500; millis += 500) {
      run.tick(millis);
    }

    assertThat(run.fires())
        .containsExactly(
            "3: 1 at 1000", "3: 2 at 1000",
            "7: 1 at 3000", "7: 2 at 3000",
            "11: 1 at 5000", "11: 2 at 5000");
    assertThat(TestModule.COUNT.count(run)).isEqualTo(3);
    assertThat(run.machine.outbox().count()).isEqualTo(3);
  }

  @Test
  void cc2_cc6_cc7_a_module_hears_once_that_an_entry_of_its_is_gone() {
    EntryWork prune = new EntryWork.Prune(Duration.ofHours(1));
    for (int position = 1; position <= 4; position++) {
      run.put(entry(position, EVERY_TWO_SECONDS, position == 1 ? TestModule.run("count") : prune));
    }
    run.tick(1_000);

    run.replace(entry(1, EVERY_TWO_SECONDS, TestModule.run("count")));
    assertThat(TestModule.COUNT.removed(run)).as("replaced by the same").isZero();
    run.machine.restore(run.machine.snapshot());
    assertThat(TestModule.COUNT.removed(run)).as("built anew").isZero();

    run.submit(new BookCommand.RemoveEntry(OURS, 1));
    assertThat(TestModule.COUNT.removed(run)).isEqualTo(1);
    run.replace(entry(2, ALWAYS, prune));
    assertThat(TestModule.COUNT.removed(run)).isEqualTo(2);
    run.submit(new BookCommand.RemoveAll(OURS));
    assertThat(TestModule.COUNT.removed(run)).isEqualTo(4);
    run.put(entry(1, EVERY_TWO_SECONDS, prune));
    run.tick(2_000);
    run.submit(new BookCommand.RemoveTable(OURS));
    assertThat(TestModule.COUNT.removed(run)).isEqualTo(5);
  }

  @Test
  void cc10_a_rule_that_throws_or_writes_and_a_failing_schedule_next_hold_up_no_other_entry() {
    run.put(entry(1, TestModule.rule("throw in rule"), TestModule.run("count")));
    run.put(entry(2, TestModule.rule("write in rule"), TestModule.run("count")));
    run.put(entry(3, TestModule.rule("throw in next"), TestModule.run("count")));
    run.put(entry(4, ALWAYS, TestModule.run("count")));

    run.tick(5_000);

    assertThat(run.fires()).containsExactly("5: 4 at 5000");
    assertThat(TestModule.COUNT.count(run)).isEqualTo(1);
    assertThat(run.machine.tables().table(OURS).failures())
        .extracting(EntryFailure::callback)
        .containsExactly(EntryCallback.RULE, EntryCallback.RULE, EntryCallback.SCHEDULE_NEXT);
    assertThat(new ModuleState("count", run.machine.pages()).pages())
        .as("what schedule-next wrote is taken back")
        .containsExactly(0, 1);
  }

  @Test
  void a_module_without_a_rule_decides_no_times() {
    CronModule ruleless =
        new CronModule() {
          @Override
          public String name() {
            return "ruleless";
          }

          @Override
          public void run(Fire fire, ModuleState state, ModuleEffects effects) {}
        };
    BookRun one = new BookRun(ruleless);
    one.put(
        entry(
            1,
            new EntryTiming.ByModule("ruleless", new byte[0]),
            new EntryWork.Prune(Duration.ofHours(1))));

    one.tick(1_000);

    assertThat(one.fires()).isEmpty();
    assertThat(one.machine.tables().table(OURS).failures())
        .extracting(EntryFailure::kind)
        .containsExactly("java.lang.UnsupportedOperationException");
  }

  @Test
  void a_wish_after_the_run_is_refused() {
    List<ModuleEffects> kept = new ArrayList<>();
    CronModule keeps =
        new CronModule() {
          @Override
          public String name() {
            return "keeps";
          }

          @Override
          public void run(Fire fire, ModuleState state, ModuleEffects effects) {
            kept.add(effects);
          }
        };
    BookRun keeping = new BookRun(keeps);
    keeping.put(entry(1, ALWAYS, new EntryWork.Run("keeps", new byte[0])));
    keeping.tick(1_000);

    assertThatThrownBy(() -> kept.getFirst().enqueueTask("mail", new byte[0], ""))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("over");
    assertThat(LogReply.of(keeping.request(ask("keeps", "").encode())))
        .as("a module takes no requests unless it says so")
        .isEqualTo(LogReply.FAILED);
  }

  @Test
  void modules_have_names_of_their_own_that_share_no_pages() {
    assertThatThrownBy(() -> new EntryBook(List.of(new TestModule("No"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"No\"");
    assertThatThrownBy(() -> new EntryBook(List.of(other, new TestModule("other"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"other\" and \"other\"");
    String one = "mbhlf5mpls4ga";
    String two = "m543cfo54ndba";
    assertThat(ModuleState.owner(one)).isEqualTo(ModuleState.owner(two));
    assertThatThrownBy(() -> new EntryBook(List.of(new TestModule(one), new TestModule(two))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(one)
        .hasMessageContaining(two);
  }

  @Test
  void a_replica_without_a_module_that_entries_run_does_not_start() {
    run.put(entry(4, ALWAYS, TestModule.run("count")));
    byte[] snapshot = run.machine.snapshot();
    BookRun without = new BookRun(other);

    assertThatThrownBy(() -> without.machine.restore(snapshot))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("position 4 of component 7")
        .hasMessageContaining("\"count\"");

    BookRun ruled = new BookRun(TestModule.COUNT);
    EntryWork prune = new EntryWork.Prune(Duration.ofHours(1));
    ruled.put(entry(5, EVERY_TWO_SECONDS, prune));
    byte[] withRule = ruled.machine.snapshot();
    assertThatThrownBy(() -> without.machine.restore(withRule)).hasMessageContaining("position 5");
    assertThat(new BookRun(other).put(entry(5, EVERY_TWO_SECONDS, prune)))
        .isEqualTo(new BookReply.UnknownModule());
  }

  @Test
  void the_pages_of_a_module_are_read_written_and_deleted_by_number() {
    ModuleState state = new ModuleState("m", run.machine.pages());
    state.write(5, new byte[] {1});
    state.write(0, new byte[] {2});

    assertThat(state.pages()).containsExactly(0, 5);
    assertThat(state.read(5)).hasValueSatisfying(page -> assertThat(page).containsExactly(1));
    assertThat(state.delete(5)).isTrue();
    assertThat(state.delete(5)).isFalse();
    assertThat(state.read(5)).isEmpty();
    assertThatThrownBy(() -> state.write(-1, new byte[1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> state.write(0, new byte[4_097]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
