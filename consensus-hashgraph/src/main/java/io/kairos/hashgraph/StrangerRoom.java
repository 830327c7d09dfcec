package io.kairos.hashgraph;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Connections from one host, or from everywhere else, that have not shown whose they are: bounded
 * in number and rate. On any thread.
 */
final class StrangerRoom {
  private final int places;
  private volatile @Nullable InetAddress called;
  private volatile @Nullable InetAddress caller;

  /** The oldest first. */
  @GuardedBy("this")
  private final Deque<PeerConnection> strangers = new ArrayDeque<>();

  @GuardedBy("this")
  private final TokenBucket accepted;

  StrangerRoom(GossipConfig.Limits limits) {
    this.places = limits.strangers();
    this.accepted = new TokenBucket(limits.acceptsPerSecond(), Duration.ofSeconds(1).toNanos());
  }

  /** Notes where the replica whose room this is was found. */
  void setCalled(@Nullable InetAddress host) {
    called = host;
  }

  /** Notes from where that replica has called, which is another host behind a translation. */
  void setCaller(@Nullable InetAddress host) {
    caller = host;
  }

  boolean isOf(@Nullable InetAddress host) {
    return host != null && (host.equals(called) || host.equals(caller));
  }

  /** False when too many connections have come in a second. */
  synchronized boolean tryAccept(long nowNanos) {
    return accepted.tryTake(nowNanos);
  }

  /**
   * Takes a connection in, and returns the oldest one, which must go, when all places are taken.
   */
  synchronized Optional<PeerConnection> enter(PeerConnection connection) {
    strangers.add(connection);
    return strangers.size() > places ? Optional.of(strangers.remove()) : Optional.empty();
  }

  synchronized void leave(PeerConnection connection) {
    strangers.remove(connection);
  }
}
