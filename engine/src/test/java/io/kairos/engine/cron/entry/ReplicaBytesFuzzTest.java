package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.outbox.EffectId;
import io.kairos.engine.cron.LogCommand;
import io.kairos.fuzzing.ParserFuzz;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What clients submit to replicas, and what is stored of it: bytes that are taken have one form.
 */
class ReplicaBytesFuzzTest {
  private static final ComponentId SEVEN = new ComponentId(7);

  @TestFactory
  Stream<DynamicTest> every_input_is_taken_or_refused() {
    return Stream.of(
        // A log passes over what is no command: nothing is thrown.
        ParserFuzz.bytes("log-command", ReplicaBytesFuzzTest::logCommand)
            .seeds(
                List.of(
                    new LogCommand.Tick(SEVEN, 1, 9L).encode(),
                    new LogCommand.Tick(SEVEN, Long.MAX_VALUE, null).encode(),
                    new LogCommand.Request(new byte[] {1, 2, 3}).encode(),
                    new LogCommand.Effects(
                            List.of(new EffectId(SEVEN, 1, 2)), List.of(new EffectId(SEVEN, 3, 4)))
                        .encode()))
            .test(),
        sameAgain("book-command", bytes -> BookCommand.decode(bytes).encode())
            .seeds(BookCodecTest.commands().stream().map(BookCommand::encode).toList())
            .test(),
        sameAgain("book-reply", bytes -> BookReply.decode(bytes).encode())
            .seeds(BookCodecTest.replies().stream().map(BookReply::encode).toList())
            .test(),
        sameAgain("effect-body", bytes -> EffectBody.decode(bytes).encode())
            .seeds(BookCodecTest.bodies().stream().map(EffectBody::encode).toList())
            .test());
  }

  private static void logCommand(byte[] input) {
    LogCommand.decode(input).ifPresent(command -> requireSame(input, command.encode()));
  }

  private static ParserFuzz sameAgain(String parser, UnaryOperator<byte[]> codec) {
    return ParserFuzz.bytes(parser, input -> requireSame(input, codec.apply(input)))
        .refusing(IllegalArgumentException.class);
  }

  private static void requireSame(byte[] input, byte[] again) {
    if (!Arrays.equals(input, again)) {
      throw new IllegalStateException("it is not what is encoded of it");
    }
  }
}
