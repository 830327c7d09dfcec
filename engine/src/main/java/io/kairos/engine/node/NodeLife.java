package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.Activity;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What keeps a process alive as a node, and says to its parts under which id they may act. Made
 * once per process, before the parts; whoever makes it drives the {@linkplain #activities
 * activities} beside theirs, and ends it after them.
 */
public final class NodeLife {
  private final LivenessPorts ports;
  private final Membership membership;
  private final List<LivingPart> parts = new CopyOnWriteArrayList<>();
  private final Activity liveness;

  /** Nothing runs yet. */
  public NodeLife(LivenessConfig config, LivenessPorts ports) {
    this.ports = ports;
    this.membership = new Membership(ports.clock(), ports.monotonic(), config.clockBound());
    this.liveness =
        Activity.serving(
            new LivenessStep(config, ports, membership, parts), ports.wakeups().create());
  }

  /** Lets a part live and end with this node's lives. To be called before the first begins. */
  public void sustain(LivingPart part) {
    parts.add(part);
  }

  /** Every step with its wakeup, to be driven one thread each. */
  public List<Activity> activities() {
    return List.of(liveness);
  }

  /** Which life the node lives, for the steps of its parts. */
  public Membership membership() {
    return membership;
  }

  /** Who else is believed alive. */
  public LivenessStore store() {
    return ports.store();
  }

  /**
   * The id of the present life; empty while the node has none, because the store is away or the
   * clock out of bounds.
   */
  public Optional<NodeId> id() {
    return membership.id();
  }

  /**
   * The id under which the node may act now; empty before it is enrolled, after its liveness has
   * lapsed, and while its clock is out of bounds.
   */
  public Optional<NodeId> actingAs() {
    return membership.acting().map(Incarnation::id);
  }

  /** Whether the node's clock agrees with the store's. */
  public boolean isClockWithinBound() {
    return membership.isClockWithinBound();
  }

  /**
   * Ends the present life, and no other begins: what the node still holds may be taken over at
   * once.
   *
   * @throws StoreUnavailable when the store cannot be told: the life lapses by itself
   */
  public void end() {
    Optional<NodeId> id = membership.id();
    membership.close();
    id.ifPresent(ports.store()::retire);
  }
}
