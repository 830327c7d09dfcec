package io.kairos.engine.cron.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.ComponentId;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two replicas execute the same requests. One of them is now and then given a snapshot, of itself
 * or of the other, as itself or as a process that starts anew. Nobody may see a difference.
 */
class BookReplayTest {
  private static final int STEPS = 250;
  private static final int SEEDS = 30;
  private static final int[] POSITIONS = {0, 1, 2, 3, 399, 400, 401, 99_999};

  static LongStream seeds() {
    return new SplittableRandom().longs(SEEDS);
  }

  private static BookRun start(long maxBytes) {
    return new BookRun(maxBytes, true, TestModule.COUNT);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void cc15_cc31_a_replica_that_is_restored_is_as_one_that_was_not(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    long maxBytes = random.nextInt(4) == 0 ? 16_000 : 1 << 23;
    BookRun one = start(maxBytes);
    BookRun other = start(maxBytes);
    long millis = 0;
    for (int step = 0; step < STEPS; step++) {
      String about = "seed %d, step %d".formatted(seed, step);
      if (random.nextInt(3) > 0) {
        ComponentId component = component(random);
        millis += random.nextInt(5_000);
        assertThat(other.tick(component, millis)).as(about).isEqualTo(one.tick(component, millis));
      } else {
        byte[] command = command(random).encode();
        assertThat(other.request(command)).as(about).isEqualTo(one.request(command));
      }
      if (random.nextInt(10) == 0) {
        other = restored(other, one, maxBytes, random);
      }
      assertThat(other.machine.digest()).as(about).isEqualTo(one.machine.digest());
      if (step % 10 == 0) {
        assertThat(other.sight()).as(about).isEqualTo(one.sight());
      }
    }
    assertThat(other.sight()).as("seed %d", seed).isEqualTo(one.sight());
  }

  private static BookRun restored(
      BookRun run, BookRun peer, long maxBytes, RandomGenerator random) {
    byte[] snapshot = random.nextBoolean() ? run.machine.snapshot() : peer.machine.snapshot();
    BookRun next = run;
    if (random.nextBoolean()) {
      next = start(maxBytes);
      next.sequence = run.sequence;
    } else {
      // What it does beside the others is forgotten.
      next.request(command(random).encode());
      next.tick(component(random), random.nextLong(100_000));
      next.sequence -= 2;
    }
    next.machine.restore(snapshot);
    return next;
  }

  private static ComponentId component(RandomGenerator random) {
    return new ComponentId(7 + random.nextInt(3));
  }

  private static BookCommand command(RandomGenerator random) {
    ComponentId component = component(random);
    int position = POSITIONS[random.nextInt(POSITIONS.length)];
    return switch (random.nextInt(20)) {
      case 0 -> new BookCommand.RemoveTable(component);
      case 1 -> new BookCommand.RemoveAll(component);
      case 2, 3 ->
          new BookCommand.PutTable(
              new TableSettings(component, Duration.ofMillis(random.nextInt(5_000))));
      case 4, 5, 6 -> new BookCommand.RemoveEntry(component, position);
      case 7, 8, 9 ->
          new BookCommand.ToModule(
              "count", new byte[] {(byte) (random.nextInt(20) == 0 ? '!' : 'a')});
      default ->
          new BookCommand.PutEntry(
              SomeEntries.entry(random, component, position),
              random.nextBoolean() ? BookCommand.Mode.CREATE : BookCommand.Mode.REPLACE);
    };
  }

  @Test
  void cc29_cc31_a_running_replica_that_gets_a_snapshot_has_its_entries_times_and_journal() {
    BookRun ahead = start(1 << 22);
    ahead.put(
        BookRun.entry(1, new EntryTiming.Every(Duration.ofSeconds(5)), TestModule.run("count")));
    ahead.put(BookRun.entry(2, new EntryTiming.EverySequences(100), TestModule.run("count")));
    ahead.tick(1_000);
    BookRun behind = start(1 << 22);
    behind.put(BookRun.entry(1, new EntryTiming.EverySequences(1), TestModule.run("count")));
    behind.put(BookRun.entry(3, new EntryTiming.EveryTick(), TestModule.run("count")));
    behind.tick(500);

    behind.machine.restore(ahead.machine.snapshot());

    assertThat(behind.sight()).isEqualTo(ahead.sight());
    assertThat(behind.sight()).anyMatch(line -> line.contains("AtSequence[sequence=103]"));
    ahead.tick(2_000);
    behind.tick(2_000);
    assertThat(behind.fires()).hasSize(2);
    ahead.tick(6_000);
    behind.tick(6_000);
    assertThat(behind.fires()).hasSize(3);
    assertThat(behind.machine.digest()).isEqualTo(ahead.machine.digest());
  }
}
