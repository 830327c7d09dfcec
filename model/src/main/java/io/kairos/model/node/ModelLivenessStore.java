package io.kairos.model.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import org.jspecify.annotations.Nullable;

/** {@link LivenessStore} in memory. Thread-safe. */
public class ModelLivenessStore implements LivenessStore {
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

  @GuardedBy("this")
  private final Map<NodeId, NodeRow> nodes = new LinkedHashMap<>();

  /**
   * @param clock the store's own clock
   */
  public ModelLivenessStore(InstantSource clock) {
    this.clock = clock;
  }

  /** True while the store still has rows of a departed node, which must not be buried then. */
  protected boolean isNeeded(NodeId node) {
    return false;
  }

  /** True for a node that is enrolled and not buried. */
  protected final synchronized boolean isKnown(NodeId node) {
    return nodes.containsKey(node);
  }

  @Override
  public final Instant time() {
    return clock.instant();
  }

  @Override
  public final synchronized Instant enrol(NodeId node, Duration lapse) {
    Instant now = time();
    nodes.put(node, new NodeRow(lapse, now));
    return now;
  }

  @Override
  public final synchronized Optional<Instant> renew(NodeId node) {
    Instant now = time();
    NodeRow row = nodes.get(node);
    if (row == null || !now.isBefore(row.departsAt())) {
      return Optional.empty();
    }
    row.renewedAt = now;
    return Optional.of(now);
  }

  @Override
  public final synchronized void retire(NodeId node) {
    NodeRow row = nodes.get(node);
    if (row != null && row.retiredAt == null) {
      row.retiredAt = time();
    }
  }

  @Override
  public final synchronized Set<NodeId> alive() {
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
  public final synchronized List<Departed> departed() {
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
            entry.getValue().departsAt().plus(grace).isBefore(now) && !isNeeded(entry.getKey()));
  }
}
