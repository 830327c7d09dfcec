package io.kairos.domain.delay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.kairos.domain.delay.RecordRejection.Reason;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TopicName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SubmissionReaderTest {
  private static final long TIMESTAMP = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
  private static final byte[] KEY = {1, 0, -1};
  private static final byte[] VALUE = "not json {".getBytes(UTF_8);
  private static final SubmissionReader READER =
      new SubmissionReader(
          new RouteId(1),
          Set.of(new TopicName("other"), new HandlerName("resize"), new PoolName("shop")),
          1_000,
          false,
          false);

  static Stream<Arguments> due_times() {
    return Stream.of(
        arguments("chronosDeadline", "2022-12-01T11:09:01.123", "2022-12-01T11:09:01.123Z"),
        arguments("chronosDeadline", "2022-12-01T11:09:01.123Z", "2022-12-01T11:09:01.123Z"),
        arguments("kairos-due-at", "2022-12-01T11:09:01+02:00", "2022-12-01T09:09:01Z"),
        arguments("kairos-due-at", "2022-12-01t11:09:01z", "2022-12-01T11:09:01Z"),
        arguments("kairos-due-at", "2022-12-01T11:09:01.123456Z", "2022-12-01T11:09:01.123456Z"),
        arguments("kairos-due-at", "2022-12-01T11:09:01.1234561Z", "2022-12-01T11:09:01.123457Z"),
        arguments("kairos-due-at", "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
        arguments("kairos-due-at", "0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
        arguments("kairos-due-at", "2022-12-01 11:09:01Z", "2022-12-01T11:09:01Z"),
        arguments("kairos-due-at", "2022-12-01T11:09Z", "2022-12-01T11:09:00Z"),
        arguments(
            "kairos-due-at", "2022-12-01T11:09:01.1234560000000Z", "2022-12-01T11:09:01.123456Z"),
        arguments("kairos-due-at", "2022-12-01T23:09:01-23:59", "2022-12-02T23:08:01Z"),
        arguments("kairos-due-at", "2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        arguments("kairos-due-at", "1990-12-31T15:59:60.5-08:00", "1991-01-01T00:00:00.500Z"),
        arguments("kairos-due-at", "1669892941123", "2022-12-01T11:09:01.123Z"),
        arguments("chronosDeadline", "-1", "1969-12-31T23:59:59.999Z"),
        arguments("kairos-delay", "PT5S", "2026-01-01T00:00:05Z"),
        arguments("kairos-delay", "P1DT0.5S", "2026-01-02T00:00:00.500Z"),
        arguments("kairos-delay", "1500", "2026-01-01T00:00:01.500Z"),
        arguments("kairos-delay", "500ms", "2026-01-01T00:00:00.500Z"),
        arguments("kairos-delay", "1.5s", "2026-01-01T00:00:01.500Z"),
        arguments("kairos-delay", "10m", "2026-01-01T00:10:00Z"),
        arguments("kairos-delay", "1h30m", "2026-01-01T01:30:00Z"),
        arguments("kairos-delay", "7d", "2026-01-08T00:00:00Z"),
        arguments("kairos-delay", "pt1m30s", "2026-01-01T00:01:30Z"),
        arguments("kairos-delay", "PT0S", "2026-01-01T00:00:00Z"));
  }

  @ParameterizedTest
  @MethodSource("due_times")
  void every_accepted_form_of_a_due_time_is_read_exactly(String header, String text, String due) {
    assertThat(delayed(read(header("kairos-id", "a"), header(header, text))).dueAt())
        .isEqualTo(Instant.parse(due));
  }

  static Stream<Arguments> rejections() {
    String id = "kairos-id";
    String at = "kairos-due-at";
    String now = "2026-01-01T00:00:00Z";
    return Stream.of(
        arguments(
            Reason.TOO_LARGE,
            List.of(header(id, "a"), header(at, now), header("kairos-original-bytes", "9"))),
        arguments(Reason.MISSING_ID, List.of(header(at, now))),
        arguments(Reason.MISSING_ID, List.of()),
        arguments(Reason.MISSING_DUE_TIME, List.of(header(id, "a"))),
        arguments(Reason.MALFORMED_ID, List.of(header(id, ""), header(at, now))),
        arguments(Reason.MALFORMED_ID, List.of(header(id, null), header(at, now))),
        arguments(Reason.MALFORMED_ID, List.of(header(id, "x".repeat(129)), header(at, now))),
        arguments(
            Reason.MALFORMED_ID, List.of(new MessageHeader(id, new byte[] {-1}), header(at, now))),
        arguments(Reason.MALFORMED_ID, List.of(header(id, "a\0"), header(at, now))),
        arguments(Reason.MALFORMED_DUE_TIME, List.of(header(id, "a"), header(at, "tomorrow"))),
        arguments(Reason.MALFORMED_DUE_TIME, List.of(header(id, "a"), header(at, ""))),
        arguments(Reason.MALFORMED_DUE_TIME, List.of(header(id, "a"), header(at, "-"))),
        arguments(
            Reason.MALFORMED_DUE_TIME,
            List.of(header(id, "a"), header(at, "2016-12-31T22:59:60Z"))),
        arguments(
            Reason.MALFORMED_DUE_TIME,
            List.of(header(id, "a"), header(at, "2026-01-01_00:00:00Z"))),
        arguments(
            Reason.MALFORMED_DUE_TIME,
            List.of(header(id, "a"), header(at, "\u0662026-01-01T00:00:00Z"))),
        arguments(
            Reason.MALFORMED_DUE_TIME,
            List.of(header(id, "a"), header(at, "2026-02-30T00:00:00Z"))),
        arguments(
            Reason.MALFORMED_DUE_TIME,
            List.of(header(id, "a"), header(at, "10000-01-01T00:00:00Z"))),
        arguments(Reason.MALFORMED_DUE_TIME, List.of(header(id, "a"), header(at, "9".repeat(19)))),
        arguments(Reason.MALFORMED_DUE_TIME, List.of(header(id, "a"), header(at, "9".repeat(500)))),
        arguments(
            Reason.MALFORMED_DUE_TIME, List.of(header(id, "a"), header("kairos-delay", "-PT1S"))),
        arguments(
            Reason.MALFORMED_DUE_TIME,
            List.of(header(id, "a"), header("kairos-delay", "P9999999D"))),
        arguments(
            Reason.MALFORMED_DUE_TIME, List.of(header(id, "a"), header("kairos-delay", "5 s"))),
        arguments(
            Reason.CONTRADICTORY_HEADERS,
            List.of(header(id, "a"), header("chronosMessageId", "b"), header(at, now))),
        arguments(
            Reason.CONTRADICTORY_HEADERS,
            List.of(
                header(id, "a"),
                header(at, now),
                header("chronosDeadline", "2027-01-01T00:00:00Z"))),
        arguments(
            Reason.CONTRADICTORY_HEADERS,
            List.of(header(id, "a"), header(at, now), header("kairos-control", "cancel"))),
        arguments(
            Reason.UNKNOWN_HEADER,
            List.of(header(id, "a"), header(at, now), header("kairos-dueat", now))),
        arguments(
            Reason.MALFORMED_CONTROL, List.of(header(id, "a"), header("kairos-control", "stop"))),
        arguments(
            Reason.MISSING_DUE_TIME,
            List.of(header(id, "a"), header("kairos-control", "reschedule"))),
        arguments(
            Reason.OUTPUT_NOT_ALLOWED,
            List.of(header(id, "a"), header(at, now), header("kairos-output-topic", "secret"))),
        arguments(
            Reason.OUTPUT_NOT_ALLOWED,
            List.of(
                header(id, "a"), header(at, now), header("kairos-output-topic", "task:resize"))),
        arguments(
            Reason.MALFORMED_HANDLER,
            List.of(header(id, "a"), header(at, now), header("kairos-handler", "a b"))),
        arguments(
            Reason.MALFORMED_HANDLER,
            List.of(header(id, "a"), header(at, now), header("kairos-priority", "7"))),
        arguments(
            Reason.MALFORMED_HANDLER,
            List.of(
                header(id, "a"),
                header(at, now),
                header("kairos-handler", "resize"),
                header("kairos-priority", "101"))),
        arguments(
            Reason.MALFORMED_HANDLER,
            List.of(header(id, "a"), header(at, now), header("kairos-key", "7"))),
        arguments(
            Reason.MALFORMED_KEY,
            List.of(
                header(id, "a"),
                header(at, now),
                header("kairos-handler", "resize"),
                header("kairos-key", ""))),
        arguments(
            Reason.HANDLER_NOT_ALLOWED,
            List.of(header(id, "a"), header(at, now), header("kairos-handler", "secret"))),
        arguments(
            Reason.MALFORMED_HANDLER,
            List.of(header(id, "a"), header(at, now), header("kairos-handler", "pool:shop"))),
        arguments(
            Reason.MALFORMED_POOL,
            List.of(header(id, "a"), header(at, now), header("kairos-pool", "a b"))),
        arguments(
            Reason.POOL_NOT_ALLOWED,
            List.of(header(id, "a"), header(at, now), header("kairos-pool", "secret"))),
        arguments(
            Reason.CONTRADICTORY_HEADERS,
            List.of(
                header(id, "a"),
                header(at, now),
                header("kairos-pool", "shop"),
                header("kairos-handler", "resize"))),
        arguments(
            Reason.CONTRADICTORY_HEADERS,
            List.of(
                header(id, "a"),
                header(at, now),
                header("kairos-pool", "shop"),
                header("kairos-output-topic", "other"))),
        arguments(
            Reason.CONTRADICTORY_HEADERS,
            List.of(
                header(id, "a"),
                header(at, now),
                header("kairos-handler", "resize"),
                header("kairos-output-topic", "other"))),
        arguments(
            Reason.TOO_LARGE,
            List.of(header(id, "a"), header(at, now), header("big", "x".repeat(1_000)))));
  }

  @ParameterizedTest
  @MethodSource("rejections")
  void ch_8_what_cannot_be_handled_is_rejected_with_its_reason(
      Reason reason, List<MessageHeader> headers) {
    InputSubmission submission = READER.read(record(TIMESTAMP, headers));

    assertThat(submission).isInstanceOf(InputSubmission.Rejected.class);
    RecordRejection rejection = ((InputSubmission.Rejected) submission).rejection();
    assertThat(rejection.reason()).isEqualTo(reason);
    assertThat(rejection.detail()).isNotBlank().doesNotContain("xxx").doesNotContain("secret");
  }

  @Test
  void a_delay_needs_a_timestamp_to_count_from() {
    InputSubmission submission =
        READER.read(record(-1, List.of(header("kairos-id", "a"), header("kairos-delay", "PT1S"))));

    assertThat(((InputSubmission.Rejected) submission).rejection().detail()).contains("timestamp");
  }

  @Test // CH-B9
  void ch_9_key_value_and_other_headers_are_relayed_and_nothing_that_is_ours() {
    List<MessageHeader> own =
        List.of(
            header("trace", "1"),
            header("trace", null),
            header("Kairos-not-ours", "x"),
            header("trace", "1"));
    List<MessageHeader> all = new ArrayList<>(own);
    all.add(1, header("chronosMessageId", "a"));
    all.add(3, header("chronosDeadline", "2026-01-01T00:00:00"));
    all.add(header("kairos-id", "a"));
    all.add(header("kairos-output-topic", "other"));
    all.add(header("kairos-reason", "from an earlier dead letter"));

    DelayedMessage message = delayed(READER.read(record(TIMESTAMP, all)));

    assertThat(HeaderCodec.decode(message.headers())).isEqualTo(own);
    assertThat(message.key()).isSameAs(KEY);
    assertThat(message.value()).isSameAs(VALUE);
    assertThat(message.output()).isEqualTo(new TopicName("other"));
  }

  @Test
  void the_same_header_twice_is_fine_as_long_as_both_agree() {
    InputSubmission submission =
        read(
            header("kairos-id", "a"),
            header("chronosMessageId", "a"),
            header("kairos-due-at", "2026-01-01T00:00:05Z"),
            header("kairos-delay", "PT5S"));

    assertThat(submission).isInstanceOf(InputSubmission.Delay.class);
  }

  @Test
  void a_message_for_a_pool_goes_to_the_pool() {
    DelayedMessage message =
        delayed(
            read(
                header("kairos-id", "a"),
                header("kairos-delay", "PT1S"),
                header("kairos-pool", "shop")));

    assertThat(message.output()).isEqualTo(new PoolName("shop"));
  }

  @Test
  void a_message_for_a_handler_knows_which_record_it_came_by() {
    DelayedMessage message =
        delayed(
            read(
                header("kairos-id", "a"),
                header("kairos-delay", "PT1S"),
                header("own", "x"),
                header("kairos-handler", "resize"),
                header("kairos-priority", "7"),
                header("kairos-key", "größe 7")));

    assertThat(message.output()).isEqualTo(new HandlerName("resize"));
    assertThat(HeaderCodec.decode(message.headers()))
        .containsExactly(
            header("own", "x"),
            header("kairos-priority", "7"),
            header("kairos-key", "größe 7"),
            header("kairos-task-source", "1-3-7-" + TIMESTAMP));
    assertThat(message.key()).isEqualTo(KEY);
    assertThat(message.value()).isEqualTo(VALUE);
  }

  @Test
  void a_route_may_take_the_records_key_as_ordering_key_of_the_task() {
    SubmissionReader keyed =
        new SubmissionReader(new RouteId(1), Set.of(new HandlerName("resize")), 1_000, false, true);
    MessageHeader id = header("kairos-id", "a");
    MessageHeader delay = header("kairos-delay", "PT1S");
    MessageHeader handler = header("kairos-handler", "resize");

    assertThat(orderingKey(keyed, "order 7".getBytes(UTF_8), id, delay, handler))
        .isEqualTo("order 7");
    assertThat(
            orderingKey(
                keyed, "order 7".getBytes(UTF_8), id, delay, handler, header("kairos-key", "b")))
        .isEqualTo("b");
    assertThat(orderingKey(keyed, new byte[0], id, delay, handler)).isEqualTo("none");
    assertThat(orderingKey(keyed, KEY, id, delay, handler))
        .isEqualTo("malformed-key: the record's key is not UTF-8");
    // Messages for topics keep every key.
    assertThat(orderingKey(keyed, KEY, id, delay)).isEqualTo("none");
  }

  private static String orderingKey(SubmissionReader reader, byte[] key, MessageHeader... headers) {
    InputRecord input = new InputRecord(3, 7, TIMESTAMP, key, VALUE, List.of(headers));
    return switch (reader.read(input)) {
      case InputSubmission.Delay(DelayedMessage message) ->
          HeaderCodec.decode(message.headers()).stream()
              .filter(one -> one.name().equals("kairos-key"))
              .map(one -> new String(requireNonNull(one.value()), UTF_8))
              .findFirst()
              .orElse("none");
      case InputSubmission.Rejected(RecordRejection why) ->
          why.reason().label() + ": " + why.detail();
      case InputSubmission.Amend amend -> throw new AssertionError(amend);
    };
  }

  @Test
  void relay_id_adds_the_id_to_what_is_relayed() {
    SubmissionReader relaying = new SubmissionReader(new RouteId(1), Set.of(), 1_000, true, false);

    DelayedMessage message =
        delayed(
            relaying.read(
                record(
                    TIMESTAMP, List.of(header("kairos-id", "a"), header("kairos-delay", "PT1S")))));

    assertThat(HeaderCodec.decode(message.headers())).containsExactly(header("kairos-id", "a"));
  }

  @Test // CH-B8
  void a_record_without_key_and_value_is_a_message_like_any_other() {
    InputRecord tombstone =
        new InputRecord(
            0,
            0,
            TIMESTAMP,
            null,
            null,
            List.of(header("kairos-id", "a"), header("kairos-delay", "PT1S")));

    DelayedMessage message = delayed(READER.read(tombstone));

    assertThat(message.key()).isNull();
    assertThat(message.value()).isNull();
  }

  @Test
  void a_record_that_was_not_read_whole_is_too_large_however_much_is_allowed() {
    InputRecord cut =
        new InputRecord(
            0,
            0,
            TIMESTAMP,
            KEY,
            null,
            List.of(header("kairos-id", "a"), header("kairos-delay", "PT1S")),
            new InputRecord.Cut(5, 0, "00", 0, 0));

    assertThat(READER.read(cut))
        .isInstanceOfSatisfying(
            InputSubmission.Rejected.class,
            rejected -> assertThat(rejected.rejection().reason()).isEqualTo(Reason.TOO_LARGE));
  }

  @Test
  void a_record_with_more_headers_than_are_allowed_is_too_large_by_their_number() {
    List<MessageHeader> most = new ArrayList<>();
    most.add(header("kairos-id", "a"));
    most.add(header("kairos-delay", "PT1S"));
    most.addAll(
        Collections.nCopies(InputRecord.MAX_HEADERS - most.size(), new MessageHeader("", null)));
    assertThat(READER.read(record(TIMESTAMP, most))).isInstanceOf(InputSubmission.Delay.class);

    most.add(new MessageHeader("", null));
    RecordRejection tooMany =
        new RecordRejection(Reason.TOO_LARGE, "the record has 1001 headers, allowed are 1000");
    assertThat(READER.read(record(TIMESTAMP, most)))
        .isEqualTo(new InputSubmission.Rejected(tooMany));
    assertThat(
            READER.read(
                new InputRecord(
                    0,
                    0,
                    TIMESTAMP,
                    KEY,
                    VALUE,
                    most.subList(0, 2),
                    new InputRecord.Cut(0, 0, null, 999, 0))))
        .isEqualTo(new InputSubmission.Rejected(tooMany));
  }

  @Test
  void a_header_costs_memory_beyond_its_bytes() {
    InputRecord empty = record(TIMESTAMP, List.of(new MessageHeader("", null)));

    assertThat(empty.payloadBytes()).isEqualTo(KEY.length + VALUE.length);
    assertThat(empty.heldBytes()).isGreaterThanOrEqualTo(empty.payloadBytes() + 100);
  }

  @Test
  void control_records_ask_for_an_amendment() {
    assertThat(read(header("kairos-id", "a"), header("kairos-control", "cancel")))
        .isEqualTo(new InputSubmission.Amend(new MessageId("a"), new Amendment.Cancel()));
    assertThat(
            read(
                header("kairos-id", "a"),
                header("kairos-control", "reschedule"),
                header("kairos-due-at", "5")))
        .isEqualTo(new InputSubmission.Amend(new MessageId("a"), new Amendment.Reschedule(5_000)));
  }

  private static InputSubmission read(MessageHeader... headers) {
    return READER.read(record(TIMESTAMP, Arrays.asList(headers)));
  }

  private static InputRecord record(long timestampMillis, List<MessageHeader> headers) {
    return new InputRecord(3, 7, timestampMillis, KEY, VALUE, headers);
  }

  private static DelayedMessage delayed(InputSubmission submission) {
    assertThat(submission).isInstanceOf(InputSubmission.Delay.class);
    return ((InputSubmission.Delay) submission).message();
  }

  private static MessageHeader header(String name, @Nullable String value) {
    return new MessageHeader(name, value == null ? null : value.getBytes(UTF_8));
  }
}
