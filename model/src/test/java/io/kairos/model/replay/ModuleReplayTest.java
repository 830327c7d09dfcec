package io.kairos.model.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.ComponentId;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.EntryDefinition;
import io.kairos.engine.cron.entry.EntryTiming;
import io.kairos.engine.cron.entry.EntryWork;
import io.kairos.engine.cron.entry.TableSettings;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ModuleReplayTest {
  private static final ComponentId TABLE = new ComponentId(3);
  private static final BookCommand PUT_TABLE = new BookCommand.PutTable(new TableSettings(TABLE));
  private static final byte[] NO_WISH = {};

  private static BookCommand entry(int position, String module, byte[] argument) {
    return new BookCommand.PutEntry(
        new EntryDefinition(
            TABLE, position, "", new EntryTiming.EveryTick(), new EntryWork.Run(module, argument)),
        BookCommand.Mode.CREATE);
  }

  /** A log in which every request behind the third is a tick. */
  private static ModuleReplay ticks(String module) {
    return ModuleReplay.of(PUT_TABLE, entry(1, "innocent", NO_WISH), entry(7, module, NO_WISH))
        .during(Duration.ofMinutes(2));
  }

  private static List<ReplayTracePoint> at(int position, List<ReplayTracePoint> marks) {
    return marks.stream().filter(mark -> mark.position() == position).toList();
  }

  @Test
  void a_module_passes_that_depends_on_the_log_and_its_state_only() {
    ReplayResult replayed =
        ModuleReplay.of(PUT_TABLE, entry(0, "innocent", NO_WISH), entry(5, "innocent", new byte[1]))
            .requests(
                "innocent",
                100,
                random -> ByteBuffer.allocate(Long.BYTES).putLong(random.nextLong()).array())
            .during(Duration.ofMinutes(3))
            .check();

    long ticks = 2 * 180;
    int wishesWithoutTime = 1; // at the first tick, where only one clock is known
    assertThat(replayed).isEqualTo(new ReplayResult(3 + ticks + 100, 2 * ticks, wishesWithoutTime));
  }

  @Test
  void every_way_to_depend_on_more_shows_where_it_begins() {
    List<String> machine =
        List.of(
            "clock",
            "nano-clock",
            "chance",
            "identity-hash",
            "set-order",
            "default-locale",
            "default-format",
            "default-zone",
            "default-charset",
            "environment");
    List<String> keeping = List.of("kept-in-a-field", "kept-in-a-static", "read-once");
    List<String> modules =
        Stream.of(List.of("innocent"), machine, keeping).flatMap(List::stream).toList();
    Stream<BookCommand> entries =
        IntStream.range(0, modules.size())
            .mapToObj(position -> entry(position, modules.get(position), NO_WISH));
    List<ReplayLine> log =
        new LogMaker(new SplittableRandom(1))
            .make(
                Stream.concat(Stream.of(PUT_TABLE), entries).toList(),
                List.of(),
                Duration.ofMinutes(1));
    int after = ReplayTestModules.FROM + 10;
    int until = ReplayTestModules.FROM + 50;
    TreeMap<String, Long> behindParts = new TreeMap<>();
    TreeMap<String, Long> backParts = new TreeMap<>();

    try (ReplayFolder folder = new ReplayFolder(log)) {
      List<ReplayTracePoint> whole = folder.await(folder.start(ReplayJvm.STAYED, until, until));
      ReplayFolder.Run behind = folder.start(ReplayJvm.FELL_BEHIND, after, until);
      ReplayFolder.Run back = folder.start(ReplayJvm.CAME_BACK, 0, until);
      List<ReplayTracePoint> behinds = folder.await(behind);
      List<ReplayTracePoint> backs = folder.await(back);
      for (int i = 0; i < modules.size(); i++) {
        String module = modules.get(i);
        behind
            .firstDifference(at(i, whole), at(i, behinds))
            .ifPresent(mark -> behindParts.put(module, mark.sequence()));
        back.firstDifference(at(i, whole), at(i, backs))
            .ifPresent(mark -> backParts.put(module, mark.sequence()));
      }
    }

    assertThat(behindParts).containsOnlyKeys(modules.subList(1, modules.size()));
    machine.forEach(
        module -> assertThat(behindParts).containsEntry(module, (long) ReplayTestModules.FROM));
    keeping.forEach(module -> assertThat(behindParts).containsEntry(module, until + 1L));
    assertThat(backParts)
        .as("what is kept for speed is read again after a restart")
        .doesNotContainKeys("innocent", "read-once")
        .containsEntry("kept-in-a-field", until + 1L)
        .containsEntry("kept-in-a-static", until + 1L);
  }

  private static ModuleReplay rule(String module) {
    return ModuleReplay.of(
            PUT_TABLE,
            new BookCommand.PutEntry(
                new EntryDefinition(
                    TABLE,
                    7,
                    "",
                    new EntryTiming.ByModule(module, NO_WISH),
                    new EntryWork.Prune(Duration.ofDays(1))),
                BookCommand.Mode.CREATE))
        .during(Duration.ofMinutes(2));
  }

  @Test
  void a_rule_of_a_module_is_replayed_too() {
    assertThat(rule("innocent").check().fires()).isGreaterThan(100);
    assertThatThrownBy(rule("chance")::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("replicas part at sequence")
        .hasMessageContaining("position 7");
  }

  @Test
  void the_message_names_sequence_and_entry_and_how_to_replay_it() {
    assertThatThrownBy(ticks("chance")::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching(
            "replicas part at sequence 40, a tick of component 3 from replica [012]:"
                + " the entry at position 7 wrote something else on the replica that executed all"
                + " of it \\(.*\\) than on the one that fell behind and was given a snapshot"
                + " \\(.*\\)\nThis was -Dreplay.seed=1");
  }

  @Test
  void an_entry_that_throws_on_one_replica_only_is_caught() {
    assertThatThrownBy(ticks("throws-by-chance")::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the entry at position 7 threw something else");
  }

  @Test
  void an_error_on_one_replica_is_told_with_its_place() {
    assertThatThrownBy(ticks("assertion")::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("the one that fell behind")
        .hasMessageContaining("java.lang.AssertionError: on purpose")
        .hasMessageContaining("This was at sequence 23, a tick of component 3");
  }

  @Test
  void a_request_is_caught_as_an_entry_is() {
    assertThatThrownBy(
            ModuleReplay.of(PUT_TABLE).requests("chance", 300, _ -> new byte[] {1, 2})::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a request to module chance (0102): the request itself wrote");
  }

  @Test
  void a_command_that_is_not_carried_out_is_told() {
    assertThatThrownBy(ticks("absent")::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("UnknownModule")
        .hasMessageContaining("This was at sequence 3, command 3 of the test");
  }

  @Test
  void without_a_command_there_is_nothing_to_replay() {
    assertThatThrownBy(ModuleReplay::of).isInstanceOf(IllegalArgumentException.class);
  }
}
