package io.kairos.simulator.replica;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.ReplicasDivergedException;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.StateMachine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Replicas with one common order of requests. The agreement itself is not simulated, only its
 * results: requests are ordered as long as a leader reaches enough other replicas; messages are
 * late, lost or repeated; replicas crash and restart with or without their stored state; a replica
 * that is far behind gets a snapshot, also while it runs.
 */
final class ReplicaCluster {
  private static final int ENTRIES_KEPT = 250;

  final ReplicaGroup cluster;
  final ReplicaTimeline timeline;
  private final SplittableRandom random;
  final ReplicaNetwork network;
  private final OrderedExecution.Config config;
  final ReplicaWiring wiring;
  final ReplicaOrder order = new ReplicaOrder();
  private final List<Seat> seats;
  private @Nullable ReplicaId leader;
  private boolean isElecting;
  private ReplicaLogObserver witness = ReplicaLogObserver.NONE;

  /** A replica, running or not, with the state that it keeps. */
  static final class Seat {
    private final ReplicaId id;
    private @Nullable ReplicaLog running;
    private byte @Nullable [] kept;
    private long keptIndex;

    private Seat(ReplicaId id) {
      this.id = id;
    }
  }

  ReplicaCluster(
      ReplicaGroup cluster,
      SplittableRandom random,
      OrderedExecution.Config config,
      ReplicaWiring wiring) {
    this.cluster = cluster;
    this.random = random.split();
    this.timeline = new ReplicaTimeline(random.split());
    this.network = new ReplicaNetwork(cluster.size(), random.split());
    this.config = config;
    this.wiring = wiring;
    this.seats = cluster.replicas().stream().map(Seat::new).toList();
  }

  void setWitness(ReplicaLogObserver witness) {
    this.witness = witness;
  }

  ReplicaLogObserver witness() {
    return witness;
  }

  private Seat seat(ReplicaId id) {
    return seats.get(id.number());
  }

  /** Starts a replica with what it has kept. */
  ReplicaLog open(ReplicaId id, StateMachine machine) {
    Seat seat = seat(id);
    if (seat.running != null) {
      throw new IllegalStateException(id + " runs already");
    }
    ReplicaLog log = new ReplicaLog(this, id, new OrderedExecution(machine, config, cluster));
    if (seat.kept != null) {
      log.comeBack(seat.kept, seat.keptIndex);
    }
    seat.running = log;
    elect();
    deliver(id);
    return log;
  }

  /** Ends a replica at once; what it has kept stays. */
  void crash(ReplicaId id) {
    Seat seat = seat(id);
    ReplicaLog running = seat.running;
    if (running != null) {
      seat.running = null;
      running.die();
      elect();
    }
  }

  /** A replica ends because its state is not that of the others. */
  void stop(ReplicaLog log, ReplicasDivergedException diverged) {
    crash(log.self());
    witness.stopped(log, diverged);
  }

  /** A replica that does not run loses what it has kept. */
  void wipe(ReplicaId id) {
    Seat seat = seat(id);
    if (seat.running != null) {
      throw new IllegalStateException(id + " runs");
    }
    seat.kept = null;
    seat.keptIndex = 0;
  }

  /** True when enough others could bring a replica up to date that has lost its state. */
  boolean couldDoWithout(ReplicaId id) {
    return seats.stream()
            .filter(seat -> !seat.id.equals(id) && seat.keptIndex >= order.first())
            .count()
        > cluster.mayFail();
  }

  Optional<ReplicaLog> running(ReplicaId id) {
    return Optional.ofNullable(seat(id).running);
  }

  List<ReplicaLog> running() {
    List<ReplicaLog> running = new ArrayList<>();
    for (Seat seat : seats) {
      if (seat.running != null) {
        running.add(seat.running);
      }
    }
    return running;
  }

  Optional<ReplicaId> leader() {
    return Optional.ofNullable(leader);
  }

  /** Elects a leader if needed; called when a replica starts, ends or is cut off. */
  void elect() {
    ReplicaId current = leader;
    if (current != null && canLead(current)) {
      return;
    }
    leader = null;
    if (!isElecting) {
      isElecting = true;
      timeline.after(
          network.electionNanos(),
          () -> {
            isElecting = false;
            List<ReplicaId> able = cluster.replicas().stream().filter(this::canLead).toList();
            if (!able.isEmpty()) {
              leader = able.get(random.nextInt(able.size()));
              spread();
            }
          });
    }
  }

  private boolean canLead(ReplicaId id) {
    return seat(id).running != null
        && running().stream().filter(other -> network.reaches(id, other.self())).count()
            >= cluster.size() - cluster.mayFail();
  }

  /**
   * A replica asks the leader to put a request into the order.
   *
   * @param ordered called when the replica hears that the leader has done so
   */
  void propose(ReplicaId from, RequestOrigin origin, byte[] command, Runnable ordered) {
    ReplicaId to = leader;
    if (to == null || network.loses() || !network.reaches(from, to)) {
      return;
    }
    timeline.after(
        network.travelNanos(),
        () -> {
          if (to.equals(leader) && canLead(to)) {
            order.append(new ReplicaOrder.Entry(origin, command, timeline.nowNanos()));
            spread();
            if (!network.loses() && network.reaches(to, from)) {
              timeline.after(network.travelNanos(), ordered);
            }
          }
        });
  }

  private void spread() {
    cluster.replicas().forEach(this::deliver);
  }

  /** Has a replica told, sooner or later, that there is more to execute. */
  void deliver(ReplicaId id) {
    boolean lost = network.loses();
    timeline.after(
        lost ? network.retryNanos() : network.travelNanos(),
        () -> {
          ReplicaId from = leader;
          ReplicaLog running = seat(id).running;
          if (from != null && running != null && network.reaches(from, id)) {
            running.catchUp();
          }
        });
  }

  /** Age of a running replica's state: the time since when there is more to execute. */
  Duration behind(ReplicaId id) {
    long next = running(id).map(ReplicaLog::applied).orElse(order.end());
    return next >= order.end()
        ? Duration.ZERO
        : Duration.ofNanos(timeline.nowNanos() - order.at(Math.max(next, order.first())).atNanos());
  }

  /** A reachable replica that can give a snapshot to this one. */
  Optional<ReplicaLog> ahead(ReplicaId id) {
    return running().stream()
        .filter(other -> !other.self().equals(id))
        .filter(other -> network.reaches(id, other.self()) && other.applied() >= order.first())
        .max(Comparator.comparingLong(ReplicaLog::applied));
  }

  /** A replica keeps its state; what enough of them have kept can be forgotten. */
  void keep(ReplicaId id, byte[] snapshot, long index) {
    Seat seat = seat(id);
    seat.kept = snapshot;
    seat.keptIndex = index;
    List<Long> kept =
        seats.stream().map(each -> each.keptIndex).sorted(Comparator.reverseOrder()).toList();
    long keptByEnough = kept.get(cluster.size() - cluster.mayFail() - 1);
    if (order.end() - order.first() > ENTRIES_KEPT) {
      order.forgetBefore(keptByEnough);
    }
  }
}
