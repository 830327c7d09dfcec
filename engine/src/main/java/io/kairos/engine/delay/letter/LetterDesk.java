package io.kairos.engine.delay.letter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.InputSubmission;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.letter.LettersRefused.Kind;
import io.kairos.engine.delay.port.KeptLetter;
import io.kairos.engine.delay.port.LetterMark;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.setup.Route;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Serves the dead letters of the routes of this node. Routes may share a dead-letter topic: a
 * letter belongs to the route whose input topic it names as its source.
 *
 * @param maxPayloadBytes bound on key, value and headers of a record of an input topic
 */
public record LetterDesk(
    List<Route> routes,
    long maxPayloadBytes,
    MessageStore store,
    LetterTopics topics,
    InstantSource clock)
    implements LetterEdge {
  private static final Comparator<LetterPage.Group> MOST_FIRST =
      Comparator.comparingLong(LetterPage.Group::count)
          .reversed()
          .thenComparing(LetterPage.Group::reason)
          .thenComparing(LetterPage.Group::fingerprint);

  private static final Set<String> DUE_TIMES =
      Set.of(ControlHeaders.DUE_AT, ControlHeaders.DELAY, ControlHeaders.CHRONOS_DEADLINE);

  public LetterDesk {
    routes = List.copyOf(routes);
  }

  @Override
  public LetterPage list(String name, LetterQuery query) {
    Route route = route(name);
    Map<List<String>, LetterPage.Group> groups = new LinkedHashMap<>();
    LetterTopics.Page found =
        topics.latest(
            route.deadLetterTopic().value(),
            query.before(),
            query.valueBytes(),
            query.most(),
            letter -> {
              if (!isOf(route, letter)) {
                return false;
              }
              LetterPage.Group one = LetterPage.Group.of(letter);
              groups.merge(List.of(one.reason(), one.fingerprint()), one, LetterPage.Group::plus);
              return query.matches(letter);
            });
    return new LetterPage(
        found.records(),
        groups.values().stream().sorted(MOST_FIRST).limit(LetterPage.MOST_GROUPS).toList(),
        groups.values().stream().mapToLong(LetterPage.Group::count).sum(),
        found.next());
  }

  /** Reads a piece of the partition, as a list does, because a whole record may be large. */
  @Override
  public LetterRecord get(String name, RecordPlace place, int valueBytes) {
    Route route = route(name);
    long after = Math.min(place.offset(), Long.MAX_VALUE - 1) + 1;
    return topics
        .latest(
            route.deadLetterTopic().value(),
            Map.of(place.partition(), after),
            valueBytes,
            1,
            _ -> true)
        .records()
        .stream()
        .filter(letter -> letter.place().equals(place) && isOf(route, letter))
        .findFirst()
        .orElseThrow(() -> unknown(route, place));
  }

  private static LettersRefused unknown(Route route, RecordPlace place) {
    return new LettersRefused(
        Kind.UNKNOWN,
        "offset: there is no dead letter of the route at %s of %s; its retention may have ended"
            .formatted(place, route.deadLetterTopic().value()));
  }

  private static boolean isOf(Route route, LetterRecord letter) {
    return letter.sourceTopic().equals(route.inputTopic());
  }

  private Route route(String name) {
    return routes.stream()
        .filter(route -> route.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new LettersRefused(
                Kind.UNKNOWN,
                "route: this node serves no route of this name; it serves "
                    + routes.stream().map(Route::name).collect(Collectors.joining(", "))));
  }

  @Override
  public RecordPlace republish(
      String name, RecordPlace place, LetterCorrection correction, boolean again) {
    Route route = route(name);
    LetterRecord letter =
        topics
            .at(route.deadLetterTopic().value(), place)
            .filter(found -> isOf(route, found))
            .orElseThrow(() -> unknown(route, place));
    InputRecord corrected = corrected(route, letter, correction);
    check(route, corrected);
    LetterMark mark =
        new LetterMark(route.id(), place.partition(), place.offset(), letter.timestampMillis());
    if (!store.mark(mark, again)) {
      throw new LettersRefused(
          Kind.PUBLISHED_BEFORE,
          "offset: the letter was published again before, or may have been; with again it is published once more, and its message may then be sent twice");
    }
    try {
      return topics.publish(
          route.inputTopic(), corrected.key(), corrected.value(), corrected.headers());
    } catch (LettersRefused e) {
      if (e.kind() != Kind.IN_DOUBT && !again) {
        store.unmark(mark);
      }
      throw e;
    }
  }

  private InputRecord corrected(Route route, LetterRecord letter, LetterCorrection correction) {
    byte[] key = letter.key();
    byte[] value = letter.value();
    List<MessageHeader> headers = letter.headers();
    if (letter.isTruncated()) {
      Optional<KeptLetter> kept = kept(route, letter);
      if (kept.isPresent()) {
        key = kept.get().key();
        value = kept.get().value();
        headers = HeaderCodec.decode(kept.get().headers());
      } else if (letter.hasLostItsKey()) {
        throw new LettersRefused(
            Kind.NOT_ALLOWED,
            "offset: the letter has lost its record's key, which is longer than a truncated letter keeps, and without it the record would go to another partition: send the record with its key to the input topic yourself; the letter says where it was");
      } else if (correction.value().isEmpty()) {
        throw new LettersRefused(
            Kind.NOT_ALLOWED,
            "correction.value: must be given, because the letter has only a part of its record: the record was too large for the dead-letter topic");
      }
    }
    return new InputRecord(
        0, 0, clock.millis(), key, correction.value().orElse(value), headers(headers, correction));
  }

  /** Not that of another route, whose id a producer may have written into its record. */
  private Optional<KeptLetter> kept(Route route, LetterRecord letter) {
    try {
      return store
          .kept(UUID.fromString(letter.text(ControlHeaders.KEPT_LETTER)))
          .filter(kept -> kept.route().equals(route.id()));
    } catch (IllegalArgumentException _) {
      return Optional.empty(); // it was not kept
    }
  }

  /** Without those that Kairos has added. */
  private static List<MessageHeader> headers(
      List<MessageHeader> before, LetterCorrection correction) {
    Set<String> replaced = new HashSet<>(correction.removed());
    correction.headers().forEach(header -> replaced.add(header.name()));
    if (correction.runAt().isPresent()) {
      replaced.addAll(DUE_TIMES);
    }
    List<MessageHeader> headers = new ArrayList<>();
    for (MessageHeader header : before) {
      if (!replaced.contains(header.name()) && !ControlHeaders.isWritten(header.name())) {
        headers.add(header);
      }
    }
    headers.addAll(correction.headers());
    correction
        .runAt()
        .map(Instant::toString)
        .ifPresent(
            due -> headers.add(new MessageHeader(ControlHeaders.DUE_AT, due.getBytes(UTF_8))));
    return headers;
  }

  /** Refuses a record that would become a dead letter again. */
  private void check(Route route, InputRecord corrected) {
    switch (route.reader(maxPayloadBytes).read(corrected)) {
      case InputSubmission.Rejected(var rejection) ->
          throw again(rejection.reason().label(), rejection.detail());
      case InputSubmission.Delay(var message)
          when route.isTooLate(message, EpochMicros.of(clock.instant())) ->
          throw again("too-late", "its due time is longer ago than the route's reject-beyond");
      case InputSubmission.Delay _, InputSubmission.Amend _ -> {}
    }
  }

  private static LettersRefused again(String reason, @Nullable String detail) {
    return new LettersRefused(
        Kind.INVALID, "would become a dead letter again (" + reason + "): " + detail);
  }
}
