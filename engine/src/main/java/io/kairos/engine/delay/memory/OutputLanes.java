package io.kairos.engine.delay.memory;

import io.kairos.domain.task.queue.MessageOutput;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** The lanes of all outputs that this node writes to. {@link MessageHolding} guards this class. */
final class OutputLanes {
  private final Map<MessageOutput, List<OutputLane>> byOutput = new HashMap<>();
  private final Map<MessageOutput, OutputLane> unknown = new HashMap<>();

  /**
   * The lane for keyless messages of an output until {@link #rotate}: one for many messages, so
   * that the client can batch them.
   */
  private final Map<MessageOutput, OutputLane> sticky = new HashMap<>();

  /**
   * Sets the number of an output's partitions; 0 is unknown and changes nothing. A smaller number
   * than before means that the topic was recreated. Messages that waited for an unknown or removed
   * partition move to their lanes.
   */
  void partitions(MessageOutput output, int count, ToIntFunction<byte[]> byKey) {
    List<OutputLane> lanes = byOutput.computeIfAbsent(output, t -> new ArrayList<>());
    while (lanes.size() < count) {
      lanes.add(new OutputLane(output, lanes.size()));
    }
    while (count > 0 && lanes.size() > count) {
      OutputLane gone = lanes.removeLast();
      sticky.remove(output, gone);
      move(gone, output, byKey);
    }
    OutputLane waiting = unknown.get(output);
    if (waiting != null && !lanes.isEmpty()) {
      unknown.remove(output);
      move(waiting, output, byKey);
    }
  }

  private void move(OutputLane from, MessageOutput output, ToIntFunction<byte[]> byKey) {
    for (HeldMessage held = from.pollFirst(); held != null; held = from.pollFirst()) {
      laneFor(output, held, byKey).enqueue(held);
    }
  }

  /** False for a lane whose partition does not exist any more. */
  boolean has(OutputLane lane) {
    return lane(lane.output(), lane.partition()) == lane;
  }

  int partitionsOf(MessageOutput output) {
    return byOutput.getOrDefault(output, List.of()).size();
  }

  OutputLane laneFor(MessageOutput output, HeldMessage held, ToIntFunction<byte[]> byKey) {
    List<OutputLane> lanes = byOutput.get(output);
    if (lanes == null || lanes.isEmpty()) {
      return unknown.computeIfAbsent(output, t -> new OutputLane(t, OutputLane.UNKNOWN_PARTITION));
    }
    byte[] key = held.claimed().message().key();
    return key == null ? keyless(output, lanes) : lanes.get(byKey.applyAsInt(key));
  }

  OutputLane lane(MessageOutput output, int partition) {
    List<OutputLane> lanes = byOutput.get(output);
    return lanes == null || partition >= lanes.size()
        ? new OutputLane(output, OutputLane.UNKNOWN_PARTITION)
        : lanes.get(partition);
  }

  private OutputLane keyless(MessageOutput output, List<OutputLane> lanes) {
    OutputLane chosen = sticky.get(output);
    if (chosen == null || chosen.isDown()) {
      chosen = lanes.getFirst();
      for (OutputLane lane : lanes) {
        if (load(lane) < load(chosen)) {
          chosen = lane;
        }
      }
      sticky.put(output, chosen);
    }
    return chosen;
  }

  private static long load(OutputLane lane) {
    return lane.isDown() ? Long.MAX_VALUE : lane.inFlightBytes() + lane.queuedBytes();
  }

  /** Lets the next keyless message of each output choose a lane again. */
  void rotate() {
    sticky.clear();
  }

  /** True when a lane of the output is not down. */
  boolean answers(MessageOutput output) {
    return byOutput.getOrDefault(output, List.of()).stream().anyMatch(lane -> !lane.isDown());
  }

  boolean isPublishable(MessageOutput output, long nowNanos) {
    return byOutput.getOrDefault(output, List.of()).stream()
        .anyMatch(lane -> lane.isPublishable(nowNanos));
  }

  /**
   * True when each answering lane of the output has at least its equal part of {@code most} queued.
   * The lane of a message is unknown before the claim, so one lane with room is enough for
   * claiming.
   */
  boolean isFull(MessageOutput output, int most) {
    List<OutputLane> lanes = byOutput.getOrDefault(output, List.of());
    boolean full = false;
    for (OutputLane lane : lanes) {
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
    for (List<OutputLane> lanes : byOutput.values()) {
      count += lanes.size();
    }
    return count;
  }

  /** Every lane, those of unknown partitions included. */
  Collection<OutputLane> all() {
    List<OutputLane> all = new ArrayList<>(unknown.values());
    byOutput.values().forEach(all::addAll);
    return all;
  }
}
