package io.kairos.testkit.node;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@link LivenessStore} in memory. Thread-safe. */
public final class ModelLivenessStore implements LivenessStore {
  private static final class NodeRow {
    private final Duration lapse;
    private Instant renewedAt;
    private @Nullable Instant retiredAt;

    private NodeRow(Duration lapse, Instant now) {
      this.lapse = lapse;
      renewedAt = now;
    }

    private Instant departsAt() {
      Instant retired = retiredAt;
      Instant lapses = renewedAt.plus(lapse);
      return retired != null && retired.isBefore(lapses) ? retired : lapses;
    }
  }

  private final InstantSource clock;
  private final Predicate<NodeId> isNeeded;
  private final Map<NodeId, NodeRow> nodes = new LinkedHashMap<>();

  /** A store that needs none of its nodes. */
  public ModelLivenessStore(InstantSource clock) {
    this(clock, _ -> false);
  }

  /**
   * A store beside others on one backend.
   *
   * @param isNeeded whether something is left of a departed node, so that it is not buried
   */
  public ModelLivenessStore(InstantSource clock, Predicate<NodeId> isNeeded) {
    this.clock = clock;
    this.isNeeded = isNeeded;
  }

  /** Enrolled and not buried. */
  public synchronized boolean isKnown(NodeId node) {
    return nodes.containsKey(node);
  }

  @Override
  public Instant time() {
    return clock.instant();
  }

  @Override
  public synchronized Instant enrol(NodeId node, Duration lapse) {
    Instant now = time();
    nodes.put(node, new NodeRow(lapse, now));
    return now;
  }

  @Override
  public synchronized Optional<Instant> renew(NodeId node) {
    Instant now = time();
    NodeRow row = nodes.get(node);
    if (row == null || !now.isBefore(row.departsAt())) {
      return Optional.empty();
    }
    row.renewedAt = now;
    return Optional.of(now);
  }

  @Override
  public synchronized void retire(NodeId node) {
    NodeRow row = nodes.get(node);
    if (row != null && row.retiredAt == null) {
      row.retiredAt = time();
    }
  }

  @Override
  public synchronized Set<NodeId> alive() {
    Instant now = time();
    Set<NodeId> alive = new HashSet<>();
    nodes.forEach((node, row) -> {
      if (now.isBefore(row.departsAt())) {
        alive.add(node);
      }
    });
    return alive;
  }

  @Override
  public synchronized List<Departed> departed() {
    Instant now = time();
    List<Departed> gone = new ArrayList<>();
    nodes.forEach((node, row) -> {
      if (!now.isBefore(row.departsAt())) {
        gone.add(new Departed(node, row.retiredAt != null));
      }
    });
    return gone;
  }

  @Override
  public synchronized void bury(Duration grace) {
    Instant now = time();
    nodes
        .entrySet()
        .removeIf(entry ->
            entry.getValue().departsAt().plus(grace).isBefore(now)
                && !isNeeded.test(entry.getKey()));
  }
}
