package io.kairos.engine.cron.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.cron.BytesOut;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BookCodecTest {
  private static final ComponentId LARGEST = new ComponentId(0xffff_fffeL);
  private static final int HOSTILE_TRIES = 4_000;

  static List<BookCommand> commands() {
    RandomGenerator random = new SplittableRandom(1);
    Stream<BookCommand> puts =
        IntStream.range(0, 100)
            .mapToObj(position ->
                new BookCommand.PutEntry(
                    SomeEntries.entry(random, LARGEST, position),
                    position < 50 ? BookCommand.Mode.CREATE : BookCommand.Mode.REPLACE));
    return Stream.concat(
            puts,
            Stream.of(
                new BookCommand.PutTable(new TableSettings(LARGEST, Duration.ofHours(24))),
                new BookCommand.PutTable(new TableSettings(new ComponentId(0), Duration.ZERO)),
                new BookCommand.RemoveTable(LARGEST),
                new BookCommand.RemoveEntry(LARGEST, EntryDefinition.LAST_POSITION),
                new BookCommand.RemoveAll(LARGEST),
                new BookCommand.ToModule("m-1", new byte[] {0, -1}),
                new BookCommand.TellSchedules(
                    List.of(
                        new BookCommand.ScheduleTime(
                            new ScheduleName("billing/close"),
                            Instant.parse("2026-01-02T03:04:05Z")),
                        new BookCommand.ScheduleTime(new ScheduleName("gone"), null)))))
        .toList();
  }

  static List<BookReply> replies() {
    return List.of(
        new BookReply.Done(),
        new BookReply.Removed(100_000),
        new BookReply.PositionInUse(),
        new BookReply.NotFound(),
        new BookReply.UnknownModule(),
        new BookReply.Invalid("a “reason”"),
        new BookReply.Full(),
        new BookReply.FromModule(new byte[] {1, 2}));
  }

  static List<EffectBody> bodies() {
    Instant fire = Instant.parse("2026-01-02T03:04:05.678Z");
    return Stream.of(
            new EntryWork.EnqueueTask("mail", new byte[] {1}, "key"),
            new EntryWork.PostMessage("news", new byte[0], new byte[] {2}, Duration.ofMinutes(3)),
            new EntryWork.Push("https://[::1]:8443/", "a/b", new byte[] {3}),
            new EntryWork.PushToPool(
                new PoolName("billing"),
                new PushRequest(
                    "PATCH", "/a", List.of(new MessageHeader("x", new byte[0])), new byte[] {4}),
                "key"))
        .map(work -> new EffectBody(work, fire))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void a_command_is_read_as_it_was_written(BookCommand command) {
    BookCommand read = BookCommand.decode(command.encode());

    assertThat(read).hasSameClassAs(command);
    assertThat(read).usingRecursiveComparison().isEqualTo(command);
    assertThat(read.encode()).isEqualTo(command.encode());
  }

  @ParameterizedTest
  @MethodSource("replies")
  void a_reply_is_read_as_it_was_written(BookReply reply) {
    assertThat(BookReply.decode(reply.encode())).hasSameClassAs(reply);
    assertThat(BookReply.decode(reply.encode())).usingRecursiveComparison().isEqualTo(reply);
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void the_body_of_an_effect_is_read_as_it_was_written(EffectBody body) {
    EffectBody read = EffectBody.decode(body.encode());

    assertThat(read.work()).hasSameClassAs(body.work());
    assertThat(read).usingRecursiveComparison().isEqualTo(body);
  }

  @Test
  void what_is_stored_and_sent_keeps_its_form() {
    BookCommand command =
        new BookCommand.PutEntry(
            new EntryDefinition(
                new ComponentId(7),
                3,
                "T",
                new EntryTiming.Every(Duration.ofMillis(258)),
                new EntryWork.Run("m", new byte[] {9})),
            BookCommand.Mode.REPLACE);

    assertThat(command.encode())
        .containsExactly(
            1, 3, 2, 0, 0, 0, 34, // version, command, mode, length of the entry
            1, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0, 1, 'T', // version, component, position, title
            3, 0, 0, 0, 0, 0, 0, 1, 2, // every 258 ms
            5, 0, 0, 0, 1, 'm', 0, 0, 0, 1, 9); // run m with an argument
  }

  static Stream<Arguments> readers() {
    UnaryOperator<byte[]> command = bytes -> BookCommand.decode(bytes).encode();
    UnaryOperator<byte[]> reply = bytes -> BookReply.decode(bytes).encode();
    UnaryOperator<byte[]> body = bytes -> EffectBody.decode(bytes).encode();
    return Stream.of(
        Arguments.of("commands", command, commands().stream().map(BookCommand::encode).toList()),
        Arguments.of("replies", reply, replies().stream().map(BookReply::encode).toList()),
        Arguments.of("bodies", body, bodies().stream().map(EffectBody::encode).toList()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("readers")
  void bytes_from_anywhere_are_read_wholly_or_refused(
      String what, UnaryOperator<byte[]> readAndWrite, List<byte[]> good) {
    long seed = new SplittableRandom().nextLong();
    RandomGenerator random = new SplittableRandom(seed);
    for (int i = 0; i < HOSTILE_TRIES; i++) {
      byte[] bytes = spoiled(good.get(random.nextInt(good.size())), random);
      String about = "%s, seed %d, try %d, %s".formatted(what, seed, i, Arrays.toString(bytes));
      byte[] again;
      try {
        again = readAndWrite.apply(bytes);
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).as(about).isNotBlank();
        continue;
      } catch (RuntimeException e) {
        throw new AssertionError(about, e);
      }
      assertThat(again).as(about).isEqualTo(bytes);
    }
  }

  private static byte[] spoiled(byte[] good, RandomGenerator random) {
    byte[] bytes =
        switch (random.nextInt(4)) {
          case 0 -> Arrays.copyOf(good, random.nextInt(good.length));
          case 1 -> Arrays.copyOf(good, good.length + 1 + random.nextInt(9));
          case 2 -> {
            byte[] noise = new byte[random.nextInt(80)];
            random.nextBytes(noise);
            yield noise;
          }
          default -> good.clone();
        };
    for (int changes = random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
      int at = random.nextInt(bytes.length);
      bytes[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (bytes[at] + 1);
    }
    return bytes;
  }

  @Test
  void a_prune_is_nothing_to_ask_of_the_outside() {
    BytesOut out = new BytesOut().number8(1).number64(0);
    EntryCodec.write(out, new EntryWork.Prune(Duration.ofSeconds(1)));

    assertThatThrownBy(() -> EffectBody.decode(out.done()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void the_largest_entry_makes_an_effect_that_is_not_too_large() {
    byte[] payload = new byte[EntryDefinition.MOST_BYTES];
    for (int length = payload.length; ; length--) {
      EntryWork.EnqueueTask work =
          new EntryWork.EnqueueTask("h", Arrays.copyOf(payload, length), "");
      int bytes = EntryCodec.encode(LARGEST, 0, "", new EntryTiming.EveryTick(), work).length;
      if (bytes <= EntryDefinition.MOST_BYTES) {
        new EntryDefinition(LARGEST, 0, "", new EntryTiming.EveryTick(), work);
        assertThat(new EffectBody(work, Instant.EPOCH).encode().length).isLessThan(bytes);
        return;
      }
      assertThatThrownBy(
              () -> new EntryDefinition(LARGEST, 0, "", new EntryTiming.EveryTick(), work))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(bytes));
    }
  }

  @Test
  void a_text_that_is_not_utf_8_is_refused() {
    byte[] bytes = new BookReply.Invalid("abc").encode();
    bytes[bytes.length - 1] = (byte) 0xc3;

    assertThatThrownBy(() -> BookReply.decode(bytes)).hasMessageContaining("UTF-8");
  }
}
