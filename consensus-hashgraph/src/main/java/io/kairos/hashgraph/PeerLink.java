package io.kairos.hashgraph;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.time.MonotonicClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The connections with one other replica: the one by which this replica calls it, on which only
 * messages to it go, and the one by which it calls. What waits on them is bounded in bytes. Threads
 * of connections wait in it, and {@link #look} wakes them because time has passed.
 */
final class PeerLink {
  /** Bytes charged for each message beside its own, so that many small ones count too. */
  static final int MESSAGE_OVERHEAD = 4 << 10;

  private static final byte[] SIGN_OF_LIFE = {};
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final int SIGNS_IN_SILENCE = 8;

  private final ReplicaId replica;
  private final GossipConfig.Limits limits;
  private final MonotonicClock clock;
  private final LinkFaults faults;

  @GuardedBy("this")
  private final TokenBucket reading;

  @GuardedBy("this")
  private final TokenBucket checking;

  @GuardedBy("this")
  private final Deque<byte[]> outgoing = new ArrayDeque<>();

  /** Wake the thread that calls, and those that read; both look again at what they wait for. */
  private final Semaphore toSpeak = new Semaphore(0);

  private final Semaphore toRead = new Semaphore(0);

  @GuardedBy("this")
  private long outgoingBytes;

  @GuardedBy("this")
  private boolean isBusy;

  @GuardedBy("this")
  private @Nullable PeerConnection calling;

  @GuardedBy("this")
  private @Nullable PeerConnection called;

  @GuardedBy("this")
  private boolean isClosed;

  @GuardedBy("this")
  private long callAt;

  @GuardedBy("this")
  private long pauseNanos = FIRST_PAUSE.toNanos();

  @GuardedBy("this")
  private long signAt;

  @GuardedBy("this")
  private int signsUnanswered;

  /**
   * Makes a link.
   *
   * @param share of its time that the log's thread may spend on checking what this replica sends
   */
  PeerLink(
      ReplicaId replica,
      GossipConfig.Limits limits,
      double share,
      MonotonicClock clock,
      LinkFaults faults) {
    this.replica = replica;
    this.limits = limits;
    this.clock = clock;
    this.faults = faults;
    this.reading = new TokenBucket(limits.bytesPerSecond(), SECOND.toNanos());
    this.checking = new TokenBucket(share * SECOND.toNanos(), SECOND.toNanos());
    this.callAt = clock.nanos();
  }

  /** Lets a message wait to be sent, or drops it. */
  void send(byte[] message) {
    if (!offer(message)) {
      faults.note(replica, LinkFault.DROPPED, "more messages than may wait");
    }
  }

  /** False when there is no room for a message. */
  private synchronized boolean offer(byte[] message) {
    if (calling == null) {
      return true; // replicas ask for what they lack
    }
    if (outgoingBytes + size(message.length) > limits.outgoingBytes()) {
      return false;
    }
    outgoingBytes += size(message.length);
    outgoing.add(message);
    wake(toSpeak);
    return true;
  }

  private static long size(int bytes) {
    return (long) bytes + MESSAGE_OVERHEAD;
  }

  /** Waits until the other replica is to be called; false when it never will be again. */
  boolean awaitCall() throws InterruptedException {
    while (!isClosed() && !isCallDue()) {
      toSpeak.acquire();
    }
    return !isClosed();
  }

  private synchronized boolean isClosed() {
    return isClosed;
  }

  private synchronized boolean isCallDue() {
    return clock.nanos() - callAt >= 0;
  }

  /** The call has been answered by the right replica. */
  void begin(PeerConnection connection) {
    connection.alive(limits.silence());
    if (!setCalling(connection)) {
      connection.close();
    }
  }

  /** False when this link is closed. */
  private synchronized boolean setCalling(PeerConnection connection) {
    calling = connection;
    pauseNanos = FIRST_PAUSE.toNanos();
    signAt = clock.nanos();
    signsUnanswered = 0;
    return !isClosed;
  }

  /** The call has ended or failed; the next one comes later, after more failures much later. */
  synchronized void end() {
    calling = null;
    outgoing.clear();
    outgoingBytes = 0;
    callAt = clock.nanos() + pauseNanos;
    pauseNanos = Math.min(2 * pauseNanos, limits.reconnect().toNanos());
  }

  /** Sends what waits, until the connection ends. */
  void speak(PeerConnection connection) throws IOException, InterruptedException {
    while (true) {
      byte[] next = next(connection);
      connection.expect(limits.frame());
      connection.writeFrame(next);
      if (isDrained()) {
        connection.flush();
      }
      connection.clearDeadline();
    }
  }

  private byte[] next(PeerConnection connection) throws IOException, InterruptedException {
    while (true) {
      byte[] next = poll(connection);
      if (next != null) {
        return next;
      }
      toSpeak.acquire();
    }
  }

  private synchronized byte @Nullable [] poll(PeerConnection connection) throws IOException {
    requireOpen(connection);
    if (clock.nanos() - signAt >= 0) {
      signAt = clock.nanos() + limits.silence().toNanos() / SIGNS_IN_SILENCE;
      signsUnanswered++;
      return SIGN_OF_LIFE;
    }
    byte[] next = outgoing.poll();
    outgoingBytes -= next == null ? 0 : size(next.length);
    return next;
  }

  /** Takes a sign of life; true when it answers one of this replica. */
  synchronized boolean takeSign() {
    return --signsUnanswered >= 0;
  }

  private synchronized boolean isDrained() {
    return outgoing.isEmpty();
  }

  private static void requireOpen(PeerConnection connection) throws IOException {
    if (connection.isEndedHere()) {
      throw new IOException("the connection was closed here");
    }
  }

  /** Takes a call of the other replica, which ends the one before. */
  void setCalled(PeerConnection connection) {
    PeerConnection superfluous = exchangeCalled(connection);
    if (superfluous != null) {
      superfluous.close();
    }
  }

  /** Returns the call that is to end: the one before, or this one when the link is closed. */
  private synchronized @Nullable PeerConnection exchangeCalled(PeerConnection connection) {
    if (isClosed) {
      return connection;
    }
    PeerConnection before = called;
    called = connection;
    return before;
  }

  synchronized void clearCalled(PeerConnection connection) {
    if (connection.equals(called)) {
      called = null;
    }
  }

  /**
   * Waits until the message before was taken, and its sender may cost something again; before
   * memory is taken for a message.
   */
  void admit(int bytes, PeerConnection connection) throws IOException, InterruptedException {
    while (!tryAdmit(bytes, connection)) {
      toRead.acquire();
    }
  }

  synchronized boolean tryAdmit(int bytes, PeerConnection connection) throws IOException {
    requireOpen(connection);
    if (isBusy || !reading.isOpen(clock.nanos()) || !checking.isOpen(clock.nanos())) {
      return false;
    }
    reading.take(size(bytes), clock.nanos());
    isBusy = true;
    return true;
  }

  /** The message that was admitted takes no room any more, and has cost something. */
  synchronized void release(long checkingNanos) {
    checking.take(checkingNanos, clock.nanos());
    isBusy = false;
    wake(toRead);
  }

  /** Time has passed, or a connection was closed. */
  void look() {
    wake(toSpeak);
    wake(toRead);
  }

  private static void wake(Semaphore waiting) {
    waiting.drainPermits();
    waiting.release();
  }

  synchronized boolean isReached() {
    return calling != null;
  }

  synchronized boolean isHeard() {
    return called != null;
  }

  void close() {
    synchronized (this) {
      isClosed = true;
    }
    look();
  }
}
