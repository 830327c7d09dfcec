package io.kairos.kafka;

import io.kairos.domain.delay.InputRecord;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.InputSource.Batch;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One membership in the consumer group: the Kafka consumer, with the state of each assigned
 * partition. Used by one thread at a time, except for {@link #wakeUp}.
 */
final class GroupMembership implements ConsumerRebalanceListener {
  private static final Logger log = LoggerFactory.getLogger(GroupMembership.class);
  private static final long START_RETRY_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long PROGRESS_EVERY_NANOS = Duration.ofSeconds(1).toNanos();
  private static final Duration LOOKUP_TIMEOUT = Duration.ofMillis(500);
  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(2);

  /** After a longer pause between polls, the topic's id is checked at once. */
  private static final long PAUSE_NANOS = Duration.ofSeconds(2).toNanos();

  private static final long TOPIC_EVERY_NANOS = Duration.ofSeconds(30).toNanos();

  private final String topic;
  private final MonotonicClock clock;
  private final KafkaConsumer<ReadBytes, ReadBytes> consumer;
  private final BoundedBytes bytes;
  private final PollRest rest;
  private final LagOffsets lagOffsets;
  private final TopicIds topicIds;

  /** Id of the topic; null until partitions were assigned and the broker has answered. */
  private @Nullable TopicId topicId;

  /**
   * True when partitions were assigned since the last check of the topic's id: it may be another
   * topic now.
   */
  private boolean topicIsInDoubt;

  private boolean topicWasAsked;
  private long topicAskedAt;

  /**
   * Time of the next regular check, because no rebalance reports that a topic was deleted and
   * created again.
   */
  private long topicCheckAt;

  private long polledAt;

  /** States of the assigned partitions only; all partitions except those being read are paused. */
  private final Map<Integer, PartitionState> states = new TreeMap<>();

  private volatile List<InputSource.Progress> progress = List.of();
  private long progressAt;
  private long startTriedAt;
  private boolean startWasTried;

  private GroupMembership(
      String topic,
      MonotonicClock clock,
      PollRest rest,
      TopicIds topicIds,
      BoundedBytes bytes,
      KafkaConsumer<ReadBytes, ReadBytes> consumer) {
    this.topic = topic;
    this.clock = clock;
    this.bytes = bytes;
    this.consumer = consumer;
    this.rest = rest;
    this.topicIds = topicIds;
    this.lagOffsets = new LagOffsets(clock, consumer);
    this.polledAt = clock.nanos();
    this.progressAt = polledAt - PROGRESS_EVERY_NANOS;
  }

  /** The consumer first: when it cannot be made there is nothing to close. */
  static GroupMembership join(
      KafkaConfig config,
      String group,
      String clientId,
      String topic,
      MonotonicClock clock,
      Consumer<Throwable> threadDied) {
    KafkaConfig.Input bounds = config.input();
    int maxPart = config.output().maxRecordBytes();
    BoundedBytes bytes = new BoundedBytes(bounds.maxBytes(), maxPart);
    KafkaConsumer<ReadBytes, ReadBytes> consumer =
        new KafkaConsumer<>(ClientSettings.consumer(config, group, clientId), bytes, bytes);
    boolean joined = false;
    try {
      GroupMembership membership =
          new GroupMembership(
              topic,
              clock,
              new PollRest(bounds.maxRecords(), bounds.maxBytes(), maxPart),
              new TopicIds(config, clientId + "-topic", topic, threadDied),
              bytes,
              consumer);
      consumer.subscribe(List.of(topic), membership);
      joined = true;
      return membership;
    } finally {
      if (!joined) {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
      }
    }
  }

  Batch poll(Duration wait) {
    try {
      checkTopic();
      return read(wait);
    } finally {
      polledAt = clock.nanos();
    }
  }

  /**
   * Checks the topic's id, because nothing else reveals a topic that was created again with as many
   * partitions and more records than had been read. Only after a pause, in which that is likely,
   * does the check wait for the answer.
   */
  private void checkTopic() {
    if (topicId == null || topicIsInDoubt) {
      return;
    }
    boolean paused = clock.nanos() - polledAt >= PAUSE_NANOS;
    if (paused) {
      topicIds.forget();
    } else if (clock.nanos() - topicCheckAt < 0) {
      return;
    }
    topicCheckAt = clock.nanos() + START_RETRY_NANOS; // later, when it is answered
    askForTopic(paused ? LOOKUP_TIMEOUT : Duration.ZERO);
  }

  private Batch read(Duration wait) {
    if (rest.isEmpty()) {
      fill(wait);
    }
    return batch(rest.take());
  }

  /**
   * Polls few records at a time, until there are enough for a batch or no more at hand: only so is
   * what a compressed fetch becomes bounded.
   */
  private void fill(Duration wait) {
    try {
      lagOffsets.tellWhenDue(mark());
      startWhereNothingIsStored();
      Duration patience = wait;
      boolean more = true;
      while (more) {
        bytes.begin();
        ConsumerRecords<ReadBytes, ReadBytes> polled = consumer.poll(patience);
        lagOffsets.polled(polled);
        keep(polled);
        more = !polled.isEmpty() && !rest.isFull();
        patience = Duration.ZERO;
      }
      noteProgress();
    } catch (WakeupException e) {
      // New partitions are to be reported at once, or somebody wants to close.
    } catch (InterruptException e) {
      // The thread stays interrupted: its driver stops it.
    } catch (OffsetOutOfRangeException e) {
      topicIds.forget();
      if (askForTopic(LOOKUP_TIMEOUT)) {
        goOnAfter(e);
      }
    }
  }

  /** Once in a second. Asks nobody: the client knows both numbers from its fetches. */
  private void noteProgress() {
    if (clock.nanos() - progressAt < PROGRESS_EVERY_NANOS) {
      return;
    }
    progressAt = clock.nanos();
    List<InputSource.Progress> noted = new ArrayList<>();
    for (int partition : in(PartitionState.READING)) {
      TopicPartition place = new TopicPartition(topic, partition);
      try {
        long position = consumer.position(place, Duration.ZERO);
        noted.add(
            new InputSource.Progress(partition, position, consumer.currentLag(place).orElse(-1)));
      } catch (TimeoutException e) {
        // The client does not know its position yet.
      }
    }
    progress = List.copyOf(noted);
  }

  /** How far partitions are read. Any thread may call. */
  List<InputSource.Progress> progress() {
    return progress;
  }

  /** Keeps the records of a poll; each partition is read again from the first that did not fit. */
  private void keep(ConsumerRecords<ReadBytes, ReadBytes> polled) {
    for (TopicPartition place : polled.partitions()) {
      for (ConsumerRecord<ReadBytes, ReadBytes> record : polled.records(place)) {
        if (isLeftForLater(record.key()) || isLeftForLater(record.value())) {
          lagOffsets.drop(place);
          consumer.seek(place, record.offset());
          break;
        }
        rest.add(record);
      }
    }
  }

  private static boolean isLeftForLater(@Nullable ReadBytes read) {
    return read != null && read.isLeftForLater();
  }

  private Batch batch(List<InputRecord> records) {
    if (topicIsInDoubt && !(topicWasAsked && clock.nanos() - topicAskedAt < START_RETRY_NANOS)) {
      topicWasAsked = true;
      topicAskedAt = clock.nanos();
      askForTopic(LOOKUP_TIMEOUT);
    }
    return new Batch(topicIsInDoubt ? Set.of() : in(PartitionState.UNPOSITIONED), records);
  }

  /** Id of the topic whose partitions are reported as unpositioned. */
  @Nullable TopicId topicId() {
    return topicId;
  }

  /**
   * Asks for the topic's id, and waits at most this long. When the topic is another than before,
   * its partitions must be positioned again.
   *
   * @return true when the topic is the same as before
   */
  private boolean askForTopic(Duration atMost) {
    Optional<TopicId> answer = topicIds.ask(atMost);
    if (answer.isEmpty()) {
      return false;
    }
    topicIsInDoubt = false;
    topicWasAsked = false;
    topicCheckAt = clock.nanos() + TOPIC_EVERY_NANOS;
    boolean same = topicId == null || answer.get().equals(topicId);
    topicId = answer.get();
    if (!same) {
      log.atWarn().addKeyValue("topic", topic).log("The topic was made anew");
      for (int partition : List.copyOf(states.keySet())) {
        stop(partition);
        states.put(partition, PartitionState.UNPOSITIONED);
      }
    }
    return same;
  }

  void position(int partition, OptionalLong stored) {
    if (!states.containsKey(partition)) {
      return;
    }
    TopicPartition place = stop(partition);
    if (stored.isPresent()) {
      consumer.seek(place, stored.getAsLong());
      consumer.resume(List.of(place));
      states.put(partition, PartitionState.READING);
    } else {
      states.put(partition, PartitionState.STARTING);
      startWasTried = false;
    }
  }

  void hold(int partition) {
    if (states.containsKey(partition)) {
      stop(partition);
      states.put(partition, PartitionState.HELD);
    }
  }

  private TopicPartition stop(int partition) {
    TopicPartition place = new TopicPartition(topic, partition);
    consumer.pause(List.of(place));
    forget(place);
    return place;
  }

  private void forget(TopicPartition place) {
    rest.drop(place.partition());
    lagOffsets.drop(place);
  }

  private Set<Integer> in(PartitionState state) {
    Set<Integer> partitions = new TreeSet<>();
    states.forEach((partition, itsState) -> {
      if (itsState == state) {
        partitions.add(partition);
      }
    });
    return partitions;
  }

  /**
   * Looks up committed offsets of partitions without a stored position; waits at most half a
   * second, once per second, so that partitions being read go on.
   */
  private void startWhereNothingIsStored() {
    Set<TopicPartition> starting = places(in(PartitionState.STARTING));
    if (starting.isEmpty() || (startWasTried && clock.nanos() - startTriedAt < START_RETRY_NANOS)) {
      return;
    }
    Map<TopicPartition, OffsetAndMetadata> committed;
    try {
      committed = consumer.committed(starting, LOOKUP_TIMEOUT);
    } catch (TimeoutException e) {
      log.atDebug().addKeyValue("topic", topic).log("No committed offsets yet: broker away");
      return;
    } finally {
      startWasTried = true;
      startTriedAt = clock.nanos();
    }
    for (TopicPartition place : starting) {
      start(place, committed.get(place));
    }
  }

  private void start(TopicPartition place, @Nullable OffsetAndMetadata committed) {
    String from;
    if (committed == null || isOfAnotherTopic(committed)) {
      consumer.seekToBeginning(List.of(place));
      from = "the beginning";
    } else {
      consumer.seek(place, committed);
      from = Long.toString(committed.offset());
    }
    consumer.resume(List.of(place));
    states.put(place.partition(), PartitionState.READING);
    log.atInfo()
        .addKeyValue("topic", topic)
        .addKeyValue("partition", place.partition())
        .addKeyValue("from", from)
        .log("Starting to read a partition of which nothing is stored");
  }

  /**
   * True when Kairos committed the offset for an earlier topic of this name; offsets that operators
   * set carry no id.
   */
  private boolean isOfAnotherTopic(OffsetAndMetadata committed) {
    return !committed.metadata().isEmpty() && !committed.metadata().equals(mark());
  }

  /**
   * True when every record before this offset was read and stored. A committed offset is beyond the
   * stored position when only entries that the broker never delivers lie between them.
   */
  private boolean isReadTo(long offset, @Nullable OffsetAndMetadata committed) {
    return committed != null
        && topicId != null
        && committed.metadata().equals(mark())
        && committed.offset() >= offset;
  }

  private String mark() {
    return topicId == null ? "" : topicId.value().toString();
  }

  private Set<TopicPartition> places(Set<Integer> partitions) {
    Set<TopicPartition> places = HashSet.newHashSet(partitions.size());
    for (int partition : partitions) {
      places.add(new TopicPartition(topic, partition));
    }
    return places;
  }

  /**
   * Repositions partitions whose offset is out of range, without skipping silently: lost records
   * are logged, and a topic that may be new is read from its beginning.
   */
  private void goOnAfter(OffsetOutOfRangeException outOfRange) {
    Map<TopicPartition, Long> starts;
    Map<TopicPartition, OffsetAndMetadata> committed;
    try {
      starts = consumer.beginningOffsets(outOfRange.partitions(), LOOKUP_TIMEOUT);
      committed = consumer.committed(outOfRange.partitions(), LOOKUP_TIMEOUT);
    } catch (TimeoutException | WakeupException | InterruptException e) {
      return; // the next poll finds the same again
    }
    outOfRange
        .offsetOutOfRangePartitions()
        .forEach((place, wanted) -> {
          Long start = starts.get(place);
          if (start != null && isRead(place.partition())) {
            goOn(place, wanted, start, committed.get(place));
          }
        });
  }

  private boolean isRead(int partition) {
    return states.get(partition) == PartitionState.READING;
  }

  private void goOn(
      TopicPartition place, long wanted, long start, @Nullable OffsetAndMetadata committed) {
    boolean nothingIsLost = wanted < start && isReadTo(start, committed);
    Level level = wanted >= start ? Level.WARN : nothingIsLost ? Level.INFO : Level.ERROR;
    LoggingEventBuilder event =
        log.atLevel(level)
            .addKeyValue("topic", topic)
            .addKeyValue("partition", place.partition())
            .addKeyValue("wanted", wanted)
            .addKeyValue("start", start);
    if (nothingIsLost) {
      event.log(
          "The topic's retention has deleted ends of transactions and aborted records: nothing is"
              + " lost");
    } else if (wanted < start) {
      event
          .addKeyValue("lost", start - wanted)
          .log(
              "The topic's retention has deleted records that were not read yet: they are lost;"
                  + " reading goes on at the first that is left. Raise the topic's retention above"
                  + " the longest stop of all nodes");
    } else {
      event.log(
          "The partition ends before the stored position: it has lost its end;"
              + " reading goes on at its beginning, messages may be accepted twice");
    }
    consumer.seek(place, start);
  }

  void stored(Map<Integer, Long> next) {
    next.forEach((partition, offset) -> {
      if (isRead(partition)) {
        lagOffsets.stored(new TopicPartition(topic, partition), offset);
      }
    });
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> places) {
    if (places.isEmpty()) {
      return;
    }
    consumer.pause(places);
    for (TopicPartition place : places) {
      // Any position: without one the client would look for a committed offset and fail for lack
      // of it. Nothing is fetched from there while the partition is paused.
      consumer.seek(place, 0);
      states.put(place.partition(), PartitionState.UNPOSITIONED);
    }
    topicIsInDoubt = true;
    topicIds.forget();
    consumer.wakeup();
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> places) {
    for (TopicPartition place : places) {
      states.remove(place.partition());
      forget(place);
    }
  }

  /** Ends a poll early; called on any thread. */
  void wakeUp() {
    consumer.wakeup();
  }

  /**
   * Commits offsets for lag tools and leaves the group, so that others need not wait for the
   * session timeout.
   */
  void leave() {
    // The client refuses to talk to the broker on an interrupted thread.
    boolean interrupted = Thread.interrupted();
    try {
      lagOffsets.tellLast(mark(), LOOKUP_TIMEOUT);
    } finally {
      close(LEAVE_TIMEOUT);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  void abandon() {
    close(LOOKUP_TIMEOUT);
  }

  private void close(Duration timeout) {
    try {
      consumer.close(CloseOptions.timeout(timeout));
    } catch (KafkaException e) {
      log.atDebug()
          .addKeyValue("topic", topic)
          .setCause(e)
          .log("The consumer closed with an error");
    } finally {
      topicIds.close();
    }
  }

  private enum PartitionState {
    /** Newly assigned: reported with every poll. */
    UNPOSITIONED,
    /** The store has no position: the committed offset is being looked up. */
    STARTING,
    READING,
    /** Held back by the node until it is positioned again. */
    HELD
  }
}
