package io.kairos.hashgraph;

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
  /** What a message takes beside its bytes, so that many small ones count too. */
  static final int MESSAGE_OVERHEAD = 4 << 10;

  private static final byte[] SIGN_OF_LIFE = {};
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final int SIGNS_IN_SILENCE = 8;

  private final ReplicaId replica;
  private final GossipConfig.Limits limits;
  private final MonotonicClock clock;
  private final LinkFaults faults;
  private final TokenBucket reading;
  private final TokenBucket checking;
  private final Deque<byte[]> outgoing = new ArrayDeque<>();

  /** Wake the thread that calls, and those that read; both look again at what they wait for. */
  private final Semaphore toSpeak = new Semaphore(0);

  private final Semaphore toRead = new Semaphore(0);
  private long outgoingBytes;
  private boolean isBusy;
  private @Nullable PeerConnection calling;
  private @Nullable PeerConnection called;
  private boolean isClosed;
  private long callAt;
  private long pauseNanos = FIRST_PAUSE.toNanos();
  private long signAt;
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
  synchronized void send(byte[] message) {
    if (calling == null) {
      return; // replicas ask for what they lack
    }
    if (outgoingBytes + size(message.length) > limits.outgoingBytes()) {
      faults.note(replica, LinkFault.DROPPED, "more messages than may wait");
      return;
    }
    outgoingBytes += size(message.length);
    outgoing.add(message);
    wake(toSpeak);
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
  synchronized void begin(PeerConnection connection) {
    calling = connection;
    pauseNanos = FIRST_PAUSE.toNanos();
    signAt = clock.nanos();
    signsUnanswered = 0;
    connection.alive(limits.silence());
    if (isClosed) {
      connection.close();
    }
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
      connection.expectNothing();
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

  /** Whether a sign of life answers one of this replica. */
  synchronized boolean isAnswer() {
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
  synchronized void isCalled(PeerConnection connection) {
    PeerConnection before = called;
    if (before != null) {
      before.close();
    }
    called = connection;
    if (isClosed) {
      connection.close();
    }
  }

  synchronized void isCalledNoMore(PeerConnection connection) {
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
