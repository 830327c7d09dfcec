package io.kairos.model.delay;

import io.kairos.domain.delay.InputRecord;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.engine.loop.Wakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One member of a group on a {@link ModelBroker}. Used by one thread at a time. */
public final class ModelInputSource implements InputSource {
  private static final class View {
    private final long generation;
    private @Nullable Long next;
    private boolean held;

    private View(long generation) {
      this.generation = generation;
    }
  }

  private final ModelBroker broker;
  private final String group;
  private final String topic;
  private final int maxRecords;
  private final Wakeup wakeup;
  private final int member;
  private final TreeMap<Integer, View> assigned = new TreeMap<>();
  private int turn;
  private boolean closed;

  ModelInputSource(ModelBroker broker, String group, String topic, int maxRecords, Wakeup wakeup) {
    this.broker = broker;
    this.group = group;
    this.topic = topic;
    this.maxRecords = maxRecords;
    this.wakeup = wakeup;
    this.member = broker.joinGroup(group, topic, wakeup);
  }

  /** The broker takes the member for dead: its partitions go to others until it polls again. */
  public void expire() {
    broker.leaveGroup(group, topic, member);
  }

  @Override
  public Batch poll(Duration wait) {
    Batch batch = pollNow();
    if (isEmpty(batch) && !wait.isZero()) {
      wakeup.await(wait);
      batch = pollNow();
    }
    return batch;
  }

  private static boolean isEmpty(Batch batch) {
    return batch.unpositioned().isEmpty() && batch.records().isEmpty();
  }

  private Batch pollNow() {
    if (closed || broker.isAway()) {
      return Batch.EMPTY;
    }
    learnAssignment();
    TreeSet<Integer> unpositioned = new TreeSet<>();
    List<InputRecord> records = new ArrayList<>();
    List<Integer> partitions = new ArrayList<>(assigned.keySet());
    turn++;
    for (int i = 0; i < partitions.size(); i++) {
      int partition = partitions.get((turn + i) % partitions.size());
      View view = viewOf(partition);
      Long next = view.next;
      if (next == null) {
        unpositioned.add(partition);
      } else if (!view.held && records.size() < maxRecords) {
        List<InputRecord> read = broker.read(topic, partition, next, maxRecords - records.size());
        records.addAll(read);
        view.next = read.isEmpty() ? next : read.getLast().offset() + 1;
      }
    }
    return new Batch(unpositioned, records);
  }

  private void learnAssignment() {
    Map<Integer, Long> now = broker.assignment(group, topic, member);
    assigned
        .entrySet()
        .removeIf(entry -> {
          Long generation = now.get(entry.getKey());
          return generation == null || generation != entry.getValue().generation;
        });
    now.forEach((partition, generation) -> assigned.putIfAbsent(partition, new View(generation)));
  }

  private View viewOf(int partition) {
    View view = assigned.get(partition);
    if (view == null) {
      throw new IllegalStateException("partition " + partition + " is not assigned");
    }
    return view;
  }

  @Override
  public TopicId topic() {
    return broker.topicId(topic);
  }

  @Override
  public void position(int partition, OptionalLong stored) {
    View view = assigned.get(partition);
    if (view != null) {
      view.next = stored.orElse(0);
      view.held = false;
    }
  }

  @Override
  public void hold(int partition) {
    View view = assigned.get(partition);
    if (view != null) {
      view.held = true;
    }
  }

  @Override
  public void stored(Map<Integer, Long> next) {
    broker.commit(group, topic, next);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      broker.leaveGroup(group, topic, member);
      broker.forget(topic, wakeup);
    }
  }
}
