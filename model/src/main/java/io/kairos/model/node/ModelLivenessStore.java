package io.kairos.model.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link LivenessStore} in memory. Thread-safe. */
public class ModelLivenessStore implements LivenessStore {
  private static final class NodeRow {
    private Renewal renewal;
    private @Nullable Instant departedAt;
    private boolean suspected;

    private NodeRow(Renewal renewal) {
      this.renewal = renewal;
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
    nodes.put(node, new NodeRow(new Renewal(node, now, lapse)));
    return now;
  }

  @Override
  public final synchronized Optional<Instant> renew(NodeId node) {
    Instant now = time();
    NodeRow row = nodes.get(node);
    if (row == null || row.departedAt != null) {
      return Optional.empty();
    }
    row.renewal = new Renewal(node, now, row.renewal.lapse());
    return Optional.of(now);
  }

  @Override
  public final synchronized void retire(NodeId node) {
    NodeRow row = nodes.get(node);
    if (row != null && row.departedAt == null) {
      row.departedAt = time();
    }
  }

  @Override
  public final synchronized List<Renewal> alive() {
    return nodes.values().stream()
        .filter(row -> row.departedAt == null)
        .map(row -> row.renewal)
        .toList();
  }

  @Override
  public final synchronized void declareDead(Renewal last) {
    NodeRow row = nodes.get(last.node());
    if (row != null && row.departedAt == null && row.renewal.equals(last)) {
      row.departedAt = time();
      row.suspected = true;
    }
  }

  @Override
  public final synchronized List<Departed> departed() {
    List<Departed> gone = new ArrayList<>();
    nodes.forEach((node, row) -> {
      if (row.departedAt != null) {
        gone.add(new Departed(node, !row.suspected));
      }
    });
    return gone;
  }

  @Override
  public synchronized void bury(Duration grace) {
    Instant now = time();
    nodes
        .entrySet()
        .removeIf(entry -> {
          Instant departed = entry.getValue().departedAt;
          return departed != null
              && departed.plus(grace).isBefore(now)
              && !isNeeded(entry.getKey());
        });
  }
}
