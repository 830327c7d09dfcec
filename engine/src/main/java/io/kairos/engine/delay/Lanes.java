package io.kairos.engine.delay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The output partitions of all topics that this node writes to, by what is known of them. {@link
 * Holding} guards it.
 */
final class Lanes {
  private final Map<String, List<Lane>> byTopic = new HashMap<>();
  private final Map<String, Lane> unknown = new HashMap<>();

  /**
   * Where keyless messages of a topic go until {@link #rotate}: one lane for many, so that the
   * client can batch them.
   */
  private final Map<String, Lane> sticky = new HashMap<>();

  /**
   * Tells how many partitions a topic has; 0 is unknown and changes nothing. Fewer than before is a
   * topic that was made anew. Messages that waited for what is known now find their lanes.
   */
  void partitions(String topic, int count, ToIntFunction<byte[]> byKey) {
    List<Lane> lanes = byTopic.computeIfAbsent(topic, t -> new ArrayList<>());
    while (lanes.size() < count) {
      lanes.add(new Lane(topic, lanes.size()));
    }
    while (count > 0 && lanes.size() > count) {
      Lane gone = lanes.removeLast();
      sticky.remove(topic, gone);
      move(gone, topic, byKey);
    }
    Lane waiting = unknown.get(topic);
    if (waiting != null && !lanes.isEmpty()) {
      unknown.remove(topic);
      move(waiting, topic, byKey);
    }
  }

  private void move(Lane from, String topic, ToIntFunction<byte[]> byKey) {
    for (Held held = from.pollFirst(); held != null; held = from.pollFirst()) {
      laneFor(topic, held, byKey).enqueue(held);
    }
  }

  /** False for a lane whose partition is gone. */
  boolean has(Lane lane) {
    return lane(lane.topic(), lane.partition()) == lane;
  }

  int partitionsOf(String topic) {
    List<Lane> lanes = byTopic.get(topic);
    return lanes == null ? 0 : lanes.size();
  }

  Lane laneFor(String topic, Held held, ToIntFunction<byte[]> byKey) {
    List<Lane> lanes = byTopic.get(topic);
    if (lanes == null || lanes.isEmpty()) {
      return unknown.computeIfAbsent(topic, t -> new Lane(t, Lane.UNKNOWN_PARTITION));
    }
    byte[] key = held.claimed().message().key();
    return key == null ? keyless(topic, lanes) : lanes.get(byKey.applyAsInt(key));
  }

  Lane lane(String topic, int partition) {
    List<Lane> lanes = byTopic.get(topic);
    return lanes == null || partition >= lanes.size()
        ? new Lane(topic, Lane.UNKNOWN_PARTITION)
        : lanes.get(partition);
  }

  private Lane keyless(String topic, List<Lane> lanes) {
    Lane chosen = sticky.get(topic);
    if (chosen == null || chosen.isDown()) {
      chosen = lanes.getFirst();
      for (Lane lane : lanes) {
        if (load(lane) < load(chosen)) {
          chosen = lane;
        }
      }
      sticky.put(topic, chosen);
    }
    return chosen;
  }

  private static long load(Lane lane) {
    return lane.isDown() ? Long.MAX_VALUE : lane.inFlightBytes() + lane.queuedBytes();
  }

  /** The next keyless messages choose anew. */
  void rotate() {
    sticky.clear();
  }

  /** Whether a lane of the topic answers or has not been heard of. */
  boolean answers(String topic) {
    return byTopic.getOrDefault(topic, List.of()).stream().anyMatch(lane -> !lane.isDown());
  }

  boolean isPublishable(String topic, long nowNanos) {
    List<Lane> lanes = byTopic.get(topic);
    if (lanes != null) {
      for (Lane lane : lanes) {
        if (lane.isPublishable(nowNanos)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether each answering lane of the topic has its equal part of {@code most} queued: as long as
   * one has not, more may be claimed, because nobody knows for which lane.
   */
  boolean isFull(String topic, int most) {
    List<Lane> lanes = byTopic.getOrDefault(topic, List.of());
    boolean full = false;
    for (Lane lane : lanes) {
      if (!lane.isDown()) {
        if (lane.queued() < most / lanes.size()) {
          return false;
        }
        full = true;
      }
    }
    return full;
  }

  int count() {
    int count = unknown.size();
    for (List<Lane> lanes : byTopic.values()) {
      count += lanes.size();
    }
    return count;
  }

  /** Every lane, those of unknown partitions included. */
  Collection<Lane> all() {
    List<Lane> all = new ArrayList<>(unknown.values());
    byTopic.values().forEach(all::addAll);
    return all;
  }
}
