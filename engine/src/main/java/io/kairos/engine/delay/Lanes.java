package io.kairos.engine.delay;

import io.kairos.domain.task.Output;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The partitions of all outputs that this node writes to, by what is known of them. {@link Holding}
 * guards it.
 */
final class Lanes {
  private final Map<Output, List<Lane>> byOutput = new HashMap<>();
  private final Map<Output, Lane> unknown = new HashMap<>();

  /**
   * Where keyless messages of an output go until {@link #rotate}: one lane for many, so that the
   * client can batch them.
   */
  private final Map<Output, Lane> sticky = new HashMap<>();

  /**
   * Tells how many partitions an output has; 0 is unknown and changes nothing. Fewer than before is
   * a topic that was made anew. Messages that waited for what is known now find their lanes.
   */
  void partitions(Output output, int count, ToIntFunction<byte[]> byKey) {
    List<Lane> lanes = byOutput.computeIfAbsent(output, t -> new ArrayList<>());
    while (lanes.size() < count) {
      lanes.add(new Lane(output, lanes.size()));
    }
    while (count > 0 && lanes.size() > count) {
      Lane gone = lanes.removeLast();
      sticky.remove(output, gone);
      move(gone, output, byKey);
    }
    Lane waiting = unknown.get(output);
    if (waiting != null && !lanes.isEmpty()) {
      unknown.remove(output);
      move(waiting, output, byKey);
    }
  }

  private void move(Lane from, Output output, ToIntFunction<byte[]> byKey) {
    for (Held held = from.pollFirst(); held != null; held = from.pollFirst()) {
      laneFor(output, held, byKey).enqueue(held);
    }
  }

  /** False for a lane whose partition is gone. */
  boolean has(Lane lane) {
    return lane(lane.output(), lane.partition()) == lane;
  }

  int partitionsOf(Output output) {
    List<Lane> lanes = byOutput.get(output);
    return lanes == null ? 0 : lanes.size();
  }

  Lane laneFor(Output output, Held held, ToIntFunction<byte[]> byKey) {
    List<Lane> lanes = byOutput.get(output);
    if (lanes == null || lanes.isEmpty()) {
      return unknown.computeIfAbsent(output, t -> new Lane(t, Lane.UNKNOWN_PARTITION));
    }
    byte[] key = held.claimed().message().key();
    return key == null ? keyless(output, lanes) : lanes.get(byKey.applyAsInt(key));
  }

  Lane lane(Output output, int partition) {
    List<Lane> lanes = byOutput.get(output);
    return lanes == null || partition >= lanes.size()
        ? new Lane(output, Lane.UNKNOWN_PARTITION)
        : lanes.get(partition);
  }

  private Lane keyless(Output output, List<Lane> lanes) {
    Lane chosen = sticky.get(output);
    if (chosen == null || chosen.isDown()) {
      chosen = lanes.getFirst();
      for (Lane lane : lanes) {
        if (load(lane) < load(chosen)) {
          chosen = lane;
        }
      }
      sticky.put(output, chosen);
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

  /** Whether a lane of the output answers or has not been heard of. */
  boolean answers(Output output) {
    return byOutput.getOrDefault(output, List.of()).stream().anyMatch(lane -> !lane.isDown());
  }

  boolean isPublishable(Output output, long nowNanos) {
    List<Lane> lanes = byOutput.get(output);
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
   * Whether each answering lane of the output has its equal part of {@code most} queued: as long as
   * one has not, more may be claimed, because nobody knows for which lane.
   */
  boolean isFull(Output output, int most) {
    List<Lane> lanes = byOutput.getOrDefault(output, List.of());
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
    for (List<Lane> lanes : byOutput.values()) {
      count += lanes.size();
    }
    return count;
  }

  /** Every lane, those of unknown partitions included. */
  Collection<Lane> all() {
    List<Lane> all = new ArrayList<>(unknown.values());
    byOutput.values().forEach(all::addAll);
    return all;
  }
}
