package io.kairos.simulator;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.LivenessStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The liveness of nodes as one process sees it: every call takes virtual time and may fail. */
final class SimLiveness implements LivenessStore {
  private final NodeProcess process;
  private final LivenessStore liveness;

  SimLiveness(NodeProcess process, LivenessStore liveness) {
    this.process = process;
    this.liveness = liveness;
  }

  private <T> T read(String name, Supplier<T> effect) {
    return process.call(new Operation.Other(name), effect);
  }

  @Override
  public Instant time() {
    return read("time", liveness::time);
  }

  @Override
  public Instant enrol(NodeId node, Duration lapse) {
    return process.call(
        new Operation.Renew(node),
        () -> {
          process.world().lives().renewed(node);
          return liveness.enrol(node, lapse);
        });
  }

  @Override
  public Optional<Instant> renew(NodeId node) {
    return process.call(
        new Operation.Renew(node),
        () -> {
          Optional<Instant> renewed = liveness.renew(node);
          if (renewed.isPresent()) {
            process.world().lives().renewed(node);
          }
          return renewed;
        });
  }

  @Override
  public void retire(NodeId node) {
    process.call(
        new Operation.Retire(node),
        () -> {
          process.world().lives().retired(node);
          liveness.retire(node);
          return true;
        });
  }

  @Override
  public Set<NodeId> alive() {
    return read("alive", () -> liveness.alive());
  }

  @Override
  public List<Departed> departed() {
    return read("departed", () -> liveness.departed());
  }

  @Override
  public void bury(Duration grace) {
    read(
        "bury",
        () -> {
          liveness.bury(grace);
          return true;
        });
  }
}
