package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.StepActivity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The liveness of a process as a node, and the id under which its parts may act. Created once per
 * process, before the parts. The creator drives the {@linkplain #activities activities} beside
 * those of the parts, and ends this object after the parts.
 */
public final class NodeLife implements LeaseClock {
  private static final Duration BURY_EVERY = Duration.ofSeconds(10);

  private final LivenessPorts ports;
  private final NodeMembership membership;
  private final List<LivingPart> parts = new CopyOnWriteArrayList<>();
  private final StepActivity liveness;
  private final StepActivity watching;

  /** Creates the object; nothing runs yet. */
  public NodeLife(LivenessConfig config, LivenessPorts ports) {
    this.ports = ports;
    this.membership = new NodeMembership(ports.clock(), ports.monotonic(), config);
    this.liveness =
        StepActivity.serving(
            "liveness",
            new LivenessStep(config, ports, membership, parts)::runOnce,
            ports.wakeups().create());
    this.watching =
        StepActivity.serving(
            "watch-nodes",
            new WatchNodesStep(config, ports, membership)::runOnce,
            ports.wakeups().create());
  }

  /**
   * Tells a part when lives of this node begin and end. Must be called before the first life
   * begins.
   */
  public void sustain(LivingPart part) {
    parts.add(part);
  }

  /** Every step with its wakeup; the caller drives each on a thread of its own. */
  public List<StepActivity> activities() {
    return List.of(liveness, watching);
  }

  /**
   * An activity that buries departed nodes, for a process without a delay queue, whose takeover
   * does so otherwise. Safe to run on every node at once.
   *
   * @param grace time after which no statement of a departed node runs any more
   */
  public StepActivity burial(Duration grace) {
    return StepActivity.serving(
        "bury-nodes",
        () -> {
          if (membership.acting().isPresent()) {
            ports.store().bury(grace);
          }
          return NextRound.after(BURY_EVERY);
        },
        ports.wakeups().create());
  }

  /** The node's present life, for the steps of its parts. */
  public NodeMembership membership() {
    return membership;
  }

  /** The store of all nodes' liveness. */
  public LivenessStore store() {
    return ports.store();
  }

  /**
   * The id of the present life; empty while the node has none, because the store does not answer or
   * the clock is out of bounds.
   */
  public Optional<NodeId> id() {
    return membership.id();
  }

  /**
   * The id under which the node may act now; empty before it is enrolled, after its liveness has
   * lapsed, and while its clock is out of bounds.
   */
  public Optional<NodeId> actingAs() {
    return membership.acting().map(NodeIncarnation::id);
  }

  @Override
  public OptionalLong micros(Duration longest) {
    return membership.believedMicros(longest);
  }

  /** True while the node's clock is within the bound of the store's. */
  public boolean isClockWithinBound() {
    return membership.isClockWithinBound();
  }

  /**
   * Ends the present life for good: other nodes may take over its claims at once.
   *
   * @throws StoreUnavailable when the store does not answer; the life then lapses by itself
   */
  public void end() {
    Optional<NodeId> id = membership.id();
    membership.close();
    id.ifPresent(ports.store()::retire);
  }
}
