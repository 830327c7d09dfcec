package io.kairos.kafka;

import io.kairos.domain.delay.MessageHeader;
import io.kairos.engine.delay.letter.LetterRecord;
import io.kairos.engine.delay.letter.LetterTopics;
import io.kairos.engine.delay.letter.LettersRefused;
import io.kairos.engine.delay.letter.LettersRefused.Kind;
import io.kairos.engine.delay.letter.RecordPlace;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;

/**
 * One look into a topic, by a consumer without a group. Kafka reads forwards only: from the end
 * backwards, pieces of some records are read, each forwards. Used by one thread.
 */
final class LetterReading {
  /** Each has an entry in a page's token. */
  static final int MOST_PARTITIONS = 256;

  static final int MOST_RECORDS = 2_000;
  static final long MOST_BYTES = 32L << 20;

  /** Headers of a record that are kept in a list, and bytes of each value. */
  static final int MOST_HEADERS = 128;

  static final int MOST_HEADER_BYTES = 16 << 10;

  static final int LONGEST_KEPT = 1_024;
  private static final int LONGEST_NAME = 256;

  /** Records of a partition that are read at a time. */
  private static final int PIECE = 32;

  /** Records that are read of all partitions at first. */
  private static final int FIRST = 256;

  /**
   * A piece of several records of each partition is read anew as a smaller one when it has more
   * bytes, so that large records do not take all the time of a look.
   */
  static final long PIECE_BYTES = 4L << 20;

  private static final int TIMES_SMALLER = 4;

  /** After this time no other piece is begun. */
  private static final Duration ENOUGH = Duration.ofSeconds(3);

  private static final Duration LONGEST = Duration.ofSeconds(8);
  private static final Duration LOOK = Duration.ofMillis(200);

  private final Consumer<FirstBytes.Part, FirstBytes.Part> consumer;
  private final String topic;
  private final MonotonicClock clock;
  private final long sinceNanos;
  private int records;
  private long bytes;

  LetterReading(
      Consumer<FirstBytes.Part, FirstBytes.Part> consumer, String topic, MonotonicClock clock) {
    this.consumer = consumer;
    this.topic = topic;
    this.clock = clock;
    this.sinceNanos = clock.nanos();
  }

  /** The records of a partition that have been read, from its end. */
  private static final class Tail {
    private final TopicPartition place;
    private final long begin;

    /** All from here on is read. */
    private long low;

    /** Records that are read and not taken, the latest first. */
    private final Deque<LetterRecord> read = new ArrayDeque<>();

    private Tail(TopicPartition place, long begin, long end) {
      this.place = place;
      this.begin = begin;
      this.low = Math.max(begin, end);
    }

    private boolean isDry() {
      return read.isEmpty() && low > begin;
    }

    private LetterRecord next() {
      return read.element();
    }

    /** Before this offset nothing is taken. */
    private long untaken() {
      LetterRecord next = read.peek();
      return next == null ? low : next.place().offset() + 1;
    }
  }

  LetterTopics.Page latest(Map<Integer, Long> before, int most, Predicate<LetterRecord> wanted) {
    List<Tail> tails = tails(before);
    List<LetterRecord> taken = new ArrayList<>();
    int piece = Math.clamp(FIRST / Math.max(1, tails.size()), 1, PIECE);
    boolean isFirst = true;
    while (taken.size() < most) {
      List<Tail> dry = tails.stream().filter(Tail::isDry).toList();
      if (!dry.isEmpty()) {
        if (!isFirst && isEnough()) {
          break;
        }
        PieceRead read = read(dry, piece, isFirst);
        if (read == PieceRead.TOO_SLOW) {
          break;
        }
        if (read == PieceRead.TOO_LARGE) {
          piece = Math.max(1, piece / TIMES_SMALLER);
        } else {
          isFirst = false;
        }
        continue;
      }
      Optional<Tail> latest =
          tails.stream()
              .filter(tail -> !tail.read.isEmpty())
              .max(
                  Comparator.comparingLong((Tail tail) -> tail.next().timestampMillis())
                      .thenComparingInt(tail -> -tail.place.partition()));
      if (latest.isEmpty()) {
        break;
      }
      LetterRecord letter = latest.get().read.remove();
      if (wanted.test(letter)) {
        taken.add(letter);
      }
    }
    Map<Integer, Long> next = new HashMap<>();
    for (Tail tail : tails) {
      if (tail.untaken() > tail.begin) {
        next.put(tail.place.partition(), tail.untaken());
      }
    }
    return new LetterTopics.Page(taken, next);
  }

  private List<Tail> tails(Map<Integer, Long> before) {
    List<TopicPartition> places = places();
    if (places.size() > MOST_PARTITIONS) {
      throw new LettersRefused(
          Kind.NOT_ALLOWED,
          "topic %s has %d partitions; dead letters are read of at most %d"
              .formatted(topic, places.size(), MOST_PARTITIONS));
    }
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(places, left());
    Map<TopicPartition, Long> ends = consumer.endOffsets(places, left());
    List<Tail> tails = new ArrayList<>();
    for (TopicPartition place : places) {
      long end = ends.getOrDefault(place, 0L);
      Long until = before.get(place.partition());
      if (before.isEmpty() || until != null) {
        tails.add(
            new Tail(
                place, begins.getOrDefault(place, 0L), until == null ? end : Math.min(until, end)));
      }
    }
    return tails;
  }

  private List<TopicPartition> places() {
    List<PartitionInfo> found = consumer.partitionsFor(topic, left());
    if (found == null || found.isEmpty()) {
      throw new LettersRefused(Kind.NOT_ALLOWED, "the broker has no topic " + topic);
    }
    return found.stream()
        .map(one -> new TopicPartition(topic, one.partition()))
        .sorted(Comparator.comparingInt(TopicPartition::partition))
        .toList();
  }

  /** Refuses when the broker does not have the topic. */
  void requireTopic() {
    var _ = places();
  }

  private boolean isEnough() {
    return records >= MOST_RECORDS
        || bytes >= MOST_BYTES
        || clock.nanos() - sinceNanos >= ENOUGH.toNanos();
  }

  /** The time that a request to the broker may take. */
  private Duration left() {
    Duration left = LONGEST.minusNanos(clock.nanos() - sinceNanos);
    if (left.compareTo(Duration.ofMillis(1)) < 0) {
      throw tooSlow();
    }
    return left;
  }

  private LettersRefused tooSlow() {
    return new LettersRefused(
        Kind.AWAY,
        "the records of topic %s have not come within %d s".formatted(topic, LONGEST.toSeconds()));
  }

  /** The outcome of reading a piece, of which nothing counts unless it is done. */
  private enum PieceRead {
    DONE,
    TOO_SLOW,
    TOO_LARGE
  }

  /** Reads the piece before what is read. */
  private PieceRead read(List<Tail> tails, int piece, boolean must) {
    Map<TopicPartition, Deque<LetterRecord>> pieces = new HashMap<>();
    Map<TopicPartition, Tail> open = new HashMap<>();
    consumer.assign(tails.stream().map(tail -> tail.place).toList());
    consumer.resume(consumer.assignment()); // a partition that was read before is paused
    for (Tail tail : tails) {
      pieces.put(tail.place, new ArrayDeque<>());
      open.put(tail.place, tail);
      consumer.seek(tail.place, Math.max(tail.begin, tail.low - piece));
    }
    long mostBytes = piece == 1 ? Long.MAX_VALUE : bytes + PIECE_BYTES;
    while (!open.isEmpty()) {
      if (bytes > mostBytes) {
        return PieceRead.TOO_LARGE;
      }
      if (clock.nanos() - sinceNanos >= LONGEST.toNanos()) {
        if (must) {
          throw tooSlow();
        }
        return PieceRead.TOO_SLOW;
      }
      for (ConsumerRecord<FirstBytes.Part, FirstBytes.Part> record : consumer.poll(LOOK)) {
        TopicPartition place = new TopicPartition(topic, record.partition());
        Tail tail = open.get(place);
        Deque<LetterRecord> ofPlace = pieces.get(place);
        if (tail != null && ofPlace != null && record.offset() < tail.low) {
          ofPlace.addFirst(part(record));
          records++;
          bytes += size(record);
        }
      }
      open.values()
          .removeIf(tail -> {
            boolean isRead = consumer.position(tail.place, left()) >= tail.low;
            if (isRead) {
              consumer.pause(List.of(tail.place));
            }
            return isRead;
          });
    }
    for (Tail tail : tails) {
      tail.read.addAll(pieces.getOrDefault(tail.place, new ArrayDeque<>()));
      tail.low = Math.max(tail.begin, tail.low - piece);
    }
    return PieceRead.DONE;
  }

  /** A whole record, as far as the deserializers have kept it. */
  Optional<LetterRecord> at(RecordPlace wanted) {
    TopicPartition place = new TopicPartition(topic, wanted.partition());
    if (!places().contains(place)
        || wanted.offset()
            < consumer.beginningOffsets(List.of(place), left()).getOrDefault(place, 0L)
        || wanted.offset() >= consumer.endOffsets(List.of(place), left()).getOrDefault(place, 0L)) {
      return Optional.empty();
    }
    consumer.assign(List.of(place));
    consumer.seek(place, wanted.offset());
    while (consumer.position(place, left()) <= wanted.offset()) {
      for (ConsumerRecord<FirstBytes.Part, FirstBytes.Part> record : consumer.poll(LOOK)) {
        if (record.offset() == wanted.offset()) {
          return Optional.of(whole(record));
        }
      }
    }
    return Optional.empty();
  }

  private static long size(ConsumerRecord<?, ?> record) {
    return Math.max(0L, record.serializedKeySize())
        + Math.max(0L, record.serializedValueSize())
        + KafkaHeaders.bytes(record.headers().toArray());
  }

  private static LetterRecord whole(ConsumerRecord<FirstBytes.Part, FirstBytes.Part> record) {
    return record(record, KafkaHeaders.read(record.headers().toArray()), false);
  }

  /** With the last headers: those that Kairos has added. */
  private static LetterRecord part(ConsumerRecord<FirstBytes.Part, FirstBytes.Part> record) {
    Header[] theirs = record.headers().toArray();
    Deque<MessageHeader> headers = new ArrayDeque<>();
    boolean isCut = false;
    long size = 0;
    for (int i = theirs.length - 1; i >= 0; i--) {
      String name = theirs[i].key();
      byte[] value = theirs[i].value();
      MessageHeader begin =
          new MessageHeader(
              name.substring(0, Math.min(name.length(), LONGEST_NAME)),
              value == null || value.length <= LONGEST_KEPT
                  ? value
                  : Arrays.copyOf(value, LONGEST_KEPT));
      size += begin.bytes();
      if (headers.size() == MOST_HEADERS || size > MOST_HEADER_BYTES) {
        isCut = true;
        break;
      }
      isCut |= name.length() > LONGEST_NAME || (value != null && value.length > LONGEST_KEPT);
      headers.addFirst(begin);
    }
    return record(record, List.copyOf(headers), isCut);
  }

  private static LetterRecord record(
      ConsumerRecord<FirstBytes.Part, FirstBytes.Part> record,
      List<MessageHeader> headers,
      boolean isCut) {
    FirstBytes.Part key = record.key();
    FirstBytes.Part value = record.value();
    return new LetterRecord(
        new RecordPlace(record.partition(), record.offset()),
        record.timestampType() == TimestampType.NO_TIMESTAMP_TYPE ? -1 : record.timestamp(),
        FirstBytes.Part.begin(key),
        FirstBytes.Part.begin(value),
        headers,
        value == null ? -1 : value.size(),
        isCut || (key != null && key.isCut()));
  }
}
