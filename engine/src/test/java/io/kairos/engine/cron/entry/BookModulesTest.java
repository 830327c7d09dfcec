package io.kairos.engine.cron.entry;

import static io.kairos.engine.cron.entry.BookRun.OURS;
import static io.kairos.engine.cron.entry.BookRun.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.EntryFailure;
import io.kairos.domain.cron.outbox.PendingEffect;
import io.kairos.engine.cron.LogReply;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleEffects;
import io.kairos.engine.cron.module.ModuleState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BookModulesTest {
  private static final EntryTiming ALWAYS = new EntryTiming.EveryTick();

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
        .containsExactly(
            "7-1-6", "7-2-6", "7-3-6", "7-4-6", "7-1-7", "7-2-7", "7-3-7", "7-4-7");
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
