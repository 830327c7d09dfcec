package io.kairos.domain.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.delay.SubmissionReader;
import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.AnswerRules;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.PortList;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.fuzzing.ParserFuzz;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Records of input topics, and the places that pools may have. */
class ForeignRecordFuzzTest {
  private static final SubmissionReader READER =
      new SubmissionReader(
          new RouteId(1),
          Set.of(new HandlerName("mail"), new PoolName("billing")),
          1 << 20,
          true,
          true);

  @TestFactory
  Stream<DynamicTest> every_input_is_taken_or_refused() {
    return Stream.of(
        // A record that cannot be handled is rejected by a result: nothing is thrown.
        ParserFuzz.bytes("record-headers", ForeignRecordFuzzTest::read).test(),
        ParserFuzz.bytes("stored-headers", ForeignRecordFuzzTest::decode)
            .refusing(IllegalArgumentException.class)
            .test(),
        // The answers of endpoints of pools: every one has an outcome.
        ParserFuzz.text("pool-answer", ForeignRecordFuzzTest::answer).test(),
        ParserFuzz.text("endpoint-url", ForeignRecordFuzzTest::url)
            .refusing(IllegalArgumentException.class)
            .test(),
        ParserFuzz.text(
                "allow-list",
                text -> AllowList.of(List.of(text), PortList.of(List.of(text.split(",", -1)))))
            .named("port-list")
            .refusing(IllegalArgumentException.class)
            .test(),
        ParserFuzz.text("allow-list", text -> AllowList.of(List.of(text), PortList.DEFAULT))
            .refusing(IllegalArgumentException.class)
            .test());
  }

  /** A header in each line, {@code name=value}; one without a value has null. */
  private static void read(byte[] input) {
    List<MessageHeader> headers =
        Arrays.stream(new String(input, ISO_8859_1).split("\n", -1))
            .map(line -> line.split("=", 2))
            .map(parts ->
                new MessageHeader(
                    parts[0], parts.length == 1 ? null : parts[1].getBytes(ISO_8859_1)))
            .toList();
    var _ = READER.read(new InputRecord(0, 7, 1_790_000_000_000L, input, input, headers));
  }

  private static void decode(byte[] input) {
    List<MessageHeader> headers = HeaderCodec.decode(input);
    if (!HeaderCodec.decode(HeaderCodec.encode(headers)).equals(headers)) {
      throw new IllegalStateException("it is not what is encoded of it");
    }
  }

  /** Status, Retry-After and body in lines. */
  private static void answer(String text) {
    String[] parts = text.split("\n", 3);
    AnswerRules.Answer answer =
        new AnswerRules.Answer(
            parts[0].matches("[1-9][0-9]{2}") ? Integer.parseInt(parts[0]) : 500,
            parts.length < 2 ? null : parts[1],
            false,
            false,
            parts[parts.length - 1]);
    Instant now = Instant.parse("2026-10-24T22:00:00Z");
    if (AnswerRules.outcome(answer, now) instanceof AttemptOutcome.RetryAfter(_, _, _, var wait)
        && (wait.isNegative() || wait.compareTo(Duration.ofDays(365)) > 0)) {
      throw new IllegalStateException("the wait is " + wait);
    }
  }

  private static void url(String text) {
    EndpointUrl url = EndpointUrl.of(text);
    if (!EndpointUrl.of(url.toString()).equals(url)) {
      throw new IllegalStateException(text + " is written as " + url);
    }
  }
}
