package io.kairos.testkit.node;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessStore.Departed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The node rows of a model store. Not thread-safe: its owner locks. */
public final class LivenessBook {
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

  private final Map<NodeId, NodeRow> nodes = new LinkedHashMap<>();

  public void enrol(NodeId node, Duration lapse, Instant now) {
    nodes.put(node, new NodeRow(lapse, now));
  }

  /** Enrolled and not buried. */
  public boolean isKnown(NodeId node) {
    return nodes.containsKey(node);
  }

  public boolean renew(NodeId node, Instant now) {
    NodeRow row = nodes.get(node);
    if (row == null || !now.isBefore(row.departsAt())) {
      return false;
    }
    row.renewedAt = now;
    return true;
  }

  public void retire(NodeId node, Instant now) {
    NodeRow row = nodes.get(node);
    if (row != null && row.retiredAt == null) {
      row.retiredAt = now;
    }
  }

  public Set<NodeId> alive(Instant now) {
    Set<NodeId> alive = new HashSet<>();
    nodes.forEach((node, row) -> {
      if (now.isBefore(row.departsAt())) {
        alive.add(node);
      }
    });
    return alive;
  }

  public List<Departed> departed(Instant now) {
    List<Departed> gone = new ArrayList<>();
    nodes.forEach((node, row) -> {
      if (!now.isBefore(row.departsAt())) {
        gone.add(new Departed(node, row.retiredAt != null));
      }
    });
    return gone;
  }

  public void bury(Duration grace, Instant now, Predicate<NodeId> isNeeded) {
    nodes
        .entrySet()
        .removeIf(entry ->
            entry.getValue().departsAt().plus(grace).isBefore(now)
                && !isNeeded.test(entry.getKey()));
  }
}
