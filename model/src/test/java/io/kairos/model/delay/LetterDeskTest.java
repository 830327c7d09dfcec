package io.kairos.model.delay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.groups.Tuple.tuple;

import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.letter.LetterCorrection;
import io.kairos.engine.delay.letter.LetterDesk;
import io.kairos.engine.delay.letter.LetterPage;
import io.kairos.engine.delay.letter.LetterQuery;
import io.kairos.engine.delay.letter.LetterRecord;
import io.kairos.engine.delay.letter.LetterTopics;
import io.kairos.engine.delay.letter.LettersRefused;
import io.kairos.engine.delay.letter.LettersRefused.Kind;
import io.kairos.engine.delay.letter.RecordPlace;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.KeptLetter;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.engine.delay.setup.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which dead letters belong to a route, and what is published of a corrected one. */
class LetterDeskTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final LetterQuery ALL = new LetterQuery(Map.of(), 50, "", "", 0);

  private final ModelDelayStore store = new ModelDelayStore(() -> NOW);
  private final RouteId id = store.route("only");
  private final Topics topics = new Topics();
  private final LetterDesk desk =
      new LetterDesk(List.of(route(null)), 1_000, store, topics, () -> NOW);

  private Route route(@Nullable Duration rejectBeyond) {
    return new Route(
        id,
        "only",
        "in",
        new TopicName("out"),
        Set.of(),
        new TopicName("dead"),
        null,
        false,
        false,
        rejectBeyond,
        new NoInput());
  }

  private record NoInput() implements InputSource {
    @Override
    public Batch poll(Duration wait) {
      return Batch.EMPTY;
    }

    @Override
    public TopicId topic() {
      return new TopicId(new UUID(0, 0));
    }

    @Override
    public void position(int partition, OptionalLong stored) {}

    @Override
    public void hold(int partition) {}

    @Override
    public void stored(Map<Integer, Long> next) {}

    @Override
    public void close() {}
  }

  /** A topic of dead letters at rising offsets, and what was published. */
  private static final class Topics implements LetterTopics {
    private final List<LetterRecord> letters = new ArrayList<>();
    private final List<Published> published = new ArrayList<>();
    private @Nullable LettersRefused refusal;

    private record Published(
        String topic, @Nullable String key, @Nullable String value, List<MessageHeader> headers) {}

    @Override
    public Page latest(
        String topic,
        Map<Integer, Long> before,
        int valueBytes,
        int most,
        Predicate<LetterRecord> wanted) {
      assertThat(topic).isEqualTo("dead");
      return new Page(
          letters.reversed().stream()
              .filter(letter ->
                  before.isEmpty()
                      || letter.place().offset()
                          < before.getOrDefault(letter.place().partition(), 0L))
              .filter(wanted)
              .limit(most)
              .toList(),
          before);
    }

    @Override
    public Optional<LetterRecord> at(String topic, RecordPlace place) {
      return letters.stream().filter(letter -> letter.place().equals(place)).findFirst();
    }

    @Override
    public RecordPlace publish(
        String topic, byte @Nullable [] key, byte @Nullable [] value, List<MessageHeader> headers) {
      LettersRefused why = refusal;
      if (why != null) {
        throw why;
      }
      published.add(new Published(topic, text(key), text(value), headers));
      return new RecordPlace(1, published.size());
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
      return bytes == null ? null : new String(bytes, UTF_8);
    }
  }

  private static MessageHeader header(String name, String value) {
    return new MessageHeader(name, value.getBytes(UTF_8));
  }

  private RecordPlace parked(String reason, String detail, MessageHeader... own) {
    return parkedFrom("in", reason, detail, own);
  }

  private RecordPlace parkedFrom(
      String source, String reason, String detail, MessageHeader... own) {
    return parkedWithKey("key".getBytes(UTF_8), source, reason, detail, own);
  }

  private RecordPlace parkedWithKey(
      byte @Nullable [] key, String source, String reason, String detail, MessageHeader... own) {
    List<MessageHeader> headers = new ArrayList<>(List.of(own));
    headers.add(header("kairos-reason", reason));
    headers.add(header("kairos-reason-detail", detail));
    headers.add(header("kairos-source-topic", source));
    headers.add(header("kairos-source-partition", "0"));
    headers.add(header("kairos-source-offset", "9"));
    RecordPlace place = new RecordPlace(0, topics.letters.size());
    topics.letters.add(
        new LetterRecord(
            place,
            1_000L + topics.letters.size(),
            key,
            "value".getBytes(UTF_8),
            headers,
            5,
            false));
    return place;
  }

  private LettersRefused refusal(RecordPlace place, LetterCorrection correction) {
    return catchThrowableOfType(
        LettersRefused.class, () -> desk.republish("only", place, correction, false));
  }

  private static LetterCorrection headers(MessageHeader... headers) {
    return new LetterCorrection(Optional.empty(), Optional.empty(), List.of(headers), Set.of());
  }

  @Test
  void letters_of_other_routes_on_the_same_topic_are_left_out() {
    parked("missing-id", "no id");
    parkedFrom("other", "missing-id", "no id");
    // A record may claim a source of its own, before the one that Kairos adds.
    parkedFrom("other", "missing-id", "no id", header("kairos-source-topic", "in"));

    LetterPage page = desk.list("only", ALL);

    assertThat(page.letters())
        .singleElement()
        .satisfies(letter -> {
          assertThat(letter.reason()).isEqualTo("missing-id");
          assertThat(letter.source()).isEqualTo("in, partition 0, offset 9");
        });
    assertThat(page.read()).isEqualTo(1);
  }

  @Test
  void one_letter_is_found_by_its_place_in_its_own_route_only() {
    RecordPlace first = parked("missing-id", "no id");
    RecordPlace other = parkedFrom("other", "missing-id", "no id");
    parked("too-large", "17 bytes");

    assertThat(desk.get("only", first, 9).reason()).isEqualTo("missing-id");
    for (RecordPlace none :
        List.of(
            other,
            new RecordPlace(0, 3),
            new RecordPlace(1, 0),
            new RecordPlace(0, Long.MAX_VALUE))) {
      LettersRefused refused =
          catchThrowableOfType(LettersRefused.class, () -> desk.get("only", none, 9));
      assertThat(refused.kind()).isEqualTo(Kind.UNKNOWN);
      assertThat(refused).hasMessageContaining("there is no dead letter of the route at");
    }
  }

  @Test
  void letters_are_grouped_whatever_is_asked_for() {
    parked("too-large", "key, value and headers have 17 bytes, allowed are 5");
    parked("too-large", "key, value and headers have 1999 bytes, allowed are 5");
    parked("missing-id", "no id");

    LetterPage page = desk.list("only", new LetterQuery(Map.of(), 50, "missing-id", "", 0));

    assertThat(page.letters()).hasSize(1);
    assertThat(page.read()).isEqualTo(3);
    assertThat(page.groups())
        .extracting(LetterPage.Group::reason, LetterPage.Group::count)
        .containsExactly(tuple("too-large", 2L), tuple("missing-id", 1L));
    assertThat(page.groups().getFirst().detail()).contains("1999");
    assertThat(page.groups().getFirst().earliestMillis()).isEqualTo(1_000);
    assertThat(page.groups().getFirst().latestMillis()).isEqualTo(1_001);
    String print = page.groups().getFirst().fingerprint();
    assertThat(desk.list("only", new LetterQuery(Map.of(), 50, "", print, 0)).letters()).hasSize(2);
  }

  @Test
  void a_letter_as_it_is_would_become_one_again() {
    RecordPlace place = parked("missing-id", "no id", header("kairos-delay", "PT1S"));

    LettersRefused refused = refusal(place, LetterCorrection.NONE);

    assertThat(refused.kind()).isEqualTo(Kind.INVALID);
    assertThat(refused).hasMessageContaining("missing-id").hasMessageContaining("kairos-id");
    assertThat(topics.published).isEmpty();
    assertThat(desk.republish("only", place, headers(header("kairos-id", "7")), false))
        .isEqualTo(new RecordPlace(1, 1));
  }

  @Test
  void a_corrected_letter_has_its_own_headers_in_their_order_and_those_that_were_given() {
    RecordPlace place =
        parked(
            "malformed-due-time",
            "no time",
            header("a", "1"),
            header("kairos-due-at", "tomorrow"),
            header("b", "2"),
            new MessageHeader("a", null),
            header("c", "3"),
            header("kairos-id", "7"));

    desk.republish(
        "only",
        place,
        new LetterCorrection(
            Optional.of(NOW),
            Optional.of("other".getBytes(UTF_8)),
            List.of(header("c", "4")),
            Set.of("b")),
        false);

    assertThat(topics.published)
        .containsExactly(
            new Topics.Published(
                "in",
                "key",
                "other",
                List.of(
                    header("a", "1"),
                    new MessageHeader("a", null),
                    header("kairos-id", "7"),
                    header("c", "4"),
                    header("kairos-due-at", "2030-01-01T00:00:00Z"))));
  }

  private RecordPlace good() {
    return parked(
        "output-not-allowed",
        "not allowed",
        header("kairos-id", "7"),
        header("kairos-due-at", "2029-01-01T00:00:00Z"));
  }

  @Test
  void a_letter_is_published_again_once_unless_it_is_asked_for() {
    RecordPlace place = good();
    desk.republish("only", place, LetterCorrection.NONE, false);

    assertThat(refusal(place, LetterCorrection.NONE).kind()).isEqualTo(Kind.PUBLISHED_BEFORE);
    desk.republish("only", place, LetterCorrection.NONE, true);
    assertThat(topics.published).hasSize(2);
  }

  @Test
  void after_a_refusal_it_may_be_tried_again_but_not_in_doubt() {
    RecordPlace place = good();
    topics.refusal = new LettersRefused(Kind.NOT_ALLOWED, "for the test");
    assertThat(refusal(place, LetterCorrection.NONE).kind()).isEqualTo(Kind.NOT_ALLOWED);

    topics.refusal = new LettersRefused(Kind.IN_DOUBT, "for the test");
    assertThat(refusal(place, LetterCorrection.NONE).kind()).isEqualTo(Kind.IN_DOUBT);
    topics.refusal = null;

    assertThat(refusal(place, LetterCorrection.NONE).kind()).isEqualTo(Kind.PUBLISHED_BEFORE);
  }

  @Test
  void a_message_that_is_too_late_needs_another_due_time() {
    LetterDesk strict =
        new LetterDesk(List.of(route(Duration.ofDays(1))), 1_000, store, topics, () -> NOW);
    RecordPlace place = good();

    LettersRefused refused =
        catchThrowableOfType(
            LettersRefused.class,
            () -> strict.republish("only", place, LetterCorrection.NONE, false));

    assertThat(refused.kind()).isEqualTo(Kind.INVALID);
    assertThat(refused).hasMessageContaining("too-late");
    assertThat(
            strict.republish(
                "only",
                place,
                new LetterCorrection(Optional.of(NOW), Optional.empty(), List.of(), Set.of()),
                false))
        .isEqualTo(new RecordPlace(1, 1));
  }

  @Test
  void a_truncated_letter_is_published_whole_if_it_was_kept_and_else_needs_a_value() {
    UUID kept = new UUID(7, 7);
    byte[] headers =
        HeaderCodec.encode(
            List.of(header("kairos-id", "7"), header("kairos-delay", "PT1S"), header("own", "1")));
    store.keep(
        new KeptLetter(
            kept, id, "too-large", "whole key".getBytes(UTF_8), "whole".getBytes(UTF_8), headers));
    RecordPlace withCopy =
        parked(
            "too-large",
            "too large",
            header("kairos-id", "7"),
            header("kairos-original-bytes", "2000000"),
            header("kairos-kept-letter", kept.toString()));
    RecordPlace without =
        parked(
            "too-large",
            "too large",
            header("kairos-id", "7"),
            header("kairos-delay", "PT1S"),
            header("kairos-original-bytes", "2000000"),
            header("kairos-kept-letter", "no id"));

    desk.republish("only", withCopy, LetterCorrection.NONE, false);
    assertThat(topics.published.getFirst().key()).isEqualTo("whole key");
    assertThat(topics.published.getFirst().value()).isEqualTo("whole");
    assertThat(topics.published.getFirst().headers()).contains(header("own", "1"));

    assertThat(refusal(without, LetterCorrection.NONE))
        .hasMessageContaining("correction.value")
        .extracting(LettersRefused::kind)
        .isEqualTo(Kind.NOT_ALLOWED);
    desk.republish(
        "only",
        without,
        new LetterCorrection(
            Optional.empty(), Optional.of("new".getBytes(UTF_8)), List.of(), Set.of()),
        false);
    assertThat(topics.published.getLast().value()).isEqualTo("new");
  }

  @Test
  void a_truncated_letter_that_has_lost_its_key_is_not_published() {
    RecordPlace place =
        parkedWithKey(
            null,
            "in",
            "too-large",
            "too large",
            header("kairos-id", "7"),
            header("kairos-delay", "PT1S"),
            header("kairos-original-bytes", "2000000"),
            header("kairos-key-bytes", "1025"));
    LetterCorrection withValue =
        new LetterCorrection(
            Optional.empty(), Optional.of("new".getBytes(UTF_8)), List.of(), Set.of());

    assertThat(refusal(place, withValue))
        .hasMessageContaining("has lost its record's key")
        .extracting(LettersRefused::kind)
        .isEqualTo(Kind.NOT_ALLOWED);
    assertThat(topics.published).isEmpty();
  }

  @Test
  void what_is_not_there_is_named() {
    RecordPlace others = parkedFrom("other", "missing-id", "no id");

    LettersRefused route =
        catchThrowableOfType(LettersRefused.class, () -> desk.list("none\0such", ALL));

    assertThat(route.kind()).isEqualTo(Kind.UNKNOWN);
    assertThat(route).hasMessageContaining("it serves only");
    assertThat(refusal(others, LetterCorrection.NONE).kind()).isEqualTo(Kind.UNKNOWN);
    assertThat(refusal(new RecordPlace(3, 99), LetterCorrection.NONE))
        .hasMessageContaining("partition 3, offset 99");
  }
}
