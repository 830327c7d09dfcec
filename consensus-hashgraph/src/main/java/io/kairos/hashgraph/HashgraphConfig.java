package io.kairos.hashgraph;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.check.HashFunction;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

/**
 * A replica of a cluster; made by whoever starts it, see {@link HashgraphProvider}.
 *
 * @param clusterName part of what is signed, so that events of one cluster mean nothing in another;
 *     see {@link #named}
 */
public record HashgraphConfig(
    ReplicaId self, ReplicaGroup cluster, String clusterName, Pace pace, Bounds bounds) {
  private static final int NAMED_BYTES = 16;

  /** More have not been tried. */
  static final int MOST_REPLICAS = 10;

  /** Throws {@link IllegalArgumentException} for a cluster of another size. */
  public HashgraphConfig {
    requireNonNull(pace, "pace");
    requireNonNull(bounds, "bounds");
    require(
        cluster.faults() == ReplicaGroup.Faults.BYZANTINE
            && cluster.size() >= 4
            && cluster.size() <= MOST_REPLICAS
            && cluster.size() % 3 == 1,
        "a hashgraph has 4, 7 or 10 replicas, of which fewer than a third may lie, not ",
        cluster);
    require(cluster.has(self), "the cluster has no ", self);
  }

  /**
   * The name of a cluster with the keys of its replicas, so that a replica that knows other keys is
   * one of another cluster.
   *
   * @param roster public keys by the numbers of their replicas
   */
  public static String named(String cluster, List<PublicKey> roster) {
    MessageDigest digest = HashFunction.sha256();
    roster.forEach(key -> digest.update(requireNonNull(key.getEncoded())));
    return "%s with the keys %s"
        .formatted(cluster, HexFormat.of().formatHex(digest.digest(), 0, NAMED_BYTES));
  }

  /** The number of replicas without which nothing is decided: more than two thirds. */
  int quorum() {
    return cluster.size() * 2 / 3 + 1;
  }

  /**
   * Pauses between the messages of a replica, measured by the monotonic clock.
   *
   * @param create the least pause between two own events
   * @param sync the pause between two questions for events while something is undecided
   * @param quietSync the same while nothing is
   * @param answer the least pause between two questions to one replica, and half of it between two
   *     of its answers, so that nobody keeps a replica busy by asking
   */
  public record Pace(Duration create, Duration sync, Duration quietSync, Duration answer) {
    public static final Pace DEFAULT =
        new Pace(
            Duration.ofMillis(10),
            Duration.ofMillis(50),
            Duration.ofSeconds(1),
            Duration.ofMillis(20));
  }

  /**
   * Bounds in bytes, and rounds.
   *
   * @param eventBytes the largest event
   * @param roundBytes events of one replica with one birth round that follow each other, with
   *     {@value EventGraph#EVENT_OVERHEAD} added for each event and {@value
   *     EventGraph#REQUEST_OVERHEAD} for each request; longer chains are refused. Half of it is
   *     kept for events without requests
   * @param waitingBytes events of one creator that wait for their parents or their round
   * @param queuedBytes requests of this replica that are in no event yet
   * @param syncBytes events in one answer
   * @param pieceBytes a snapshot is sent in pieces of these
   * @param snapshotEvery rounds between two snapshots; the same for all replicas
   */
  public record Bounds(
      int eventBytes,
      int roundBytes,
      int waitingBytes,
      int queuedBytes,
      int syncBytes,
      int pieceBytes,
      int snapshotEvery) {
    public static final Bounds DEFAULT =
        new Bounds(256 << 10, 1 << 20, 1 << 20, 4 << 20, 1 << 20, 256 << 10, 32);

    /** Of a round; several times what a tick takes, so that ticks alone fill none. */
    private static final int BYTES_OF_TICK = 1_024;

    /** Throws {@link IllegalArgumentException} for bounds that do not fit each other. */
    public Bounds {
      require(eventBytes >= 8 << 10, "an event has at least 8 KiB, not ", eventBytes);
      require(
          roundBytes / 2 >= eventBytes + OwnEvents.HEAD_BYTES
              && roundBytes / 3 >= OwnEvents.EVENTS_BEFORE_STALL * OwnEvents.HEAD_BYTES,
          "a round has room for two events of each replica, and for many small ones, not ",
          roundBytes);
      require(waitingBytes >= eventBytes, "an event must be able to wait, with ", waitingBytes);
      require(syncBytes >= eventBytes, "an answer has room for an event, not ", syncBytes);
      require(pieceBytes >= 1, "a piece has at least a byte, not ", pieceBytes);
      require(snapshotEvery >= 1, "snapshots are rounds apart, not ", snapshotEvery);
    }

    /** What is kept of {@link #roundBytes} for events without requests. */
    int eventRoomBytes() {
      return roundBytes / 2;
    }

    /**
     * Ticks of one replica that are executed of a round; further ones are skipped by every replica.
     * One who tells the truth has one pending for each table.
     */
    int roundTicks() {
      return roundBytes / BYTES_OF_TICK;
    }

    /** The largest request of a replica. */
    int requestBytes() {
      return eventBytes - Event.MOST_HEAD_BYTES;
    }
  }
}
