package io.kairos.hashgraph;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.time.MonotonicClock;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * One connection under TLS 1.3 that carries frames: a length of four bytes, big end first, and so
 * many bytes; an empty frame is a sign of life. Whatever blocks on it has a deadline, at which
 * {@link #overdue} says what took too long, and whoever asks closes it. One thread reads, and one
 * writes.
 */
final class PeerConnection implements AutoCloseable {
  private static final String PROTOCOL = "TLSv1.3";
  private static final String EXPORTER = "EXPORTER-kairos-gossip";
  private static final int EXPORTED_BYTES = 32;
  private static final int BUFFER_BYTES = 16 << 10;
  private static final long NEVER = Long.MAX_VALUE;

  private final Socket raw;
  private final MonotonicClock clock;
  private volatile @Nullable ReplicaId peer;

  /** Until when what is under way must have ended. */
  private volatile long slowAt = NEVER;

  /** Until when there must be a sign of life. */
  private volatile long silentAt = NEVER;

  private volatile boolean isEndedHere;
  private @Nullable SSLSocket tls;
  private @Nullable DataInputStream in;
  private @Nullable DataOutputStream out;

  /**
   * Takes a socket, connected or not.
   *
   * @param within time for connecting, TLS and showing who one is
   */
  PeerConnection(Socket raw, MonotonicClock clock, Duration within) {
    this.raw = raw;
    this.clock = clock;
    expect(within);
  }

  /**
   * Begins TLS; both sides must show a certificate that the other trusts.
   *
   * @param host of the other side, by which sessions are found again
   */
  void secure(SSLContext context, String host, boolean isCaller) throws IOException {
    raw.setTcpNoDelay(true);
    SSLSocket made =
        (SSLSocket) context.getSocketFactory().createSocket(raw, host, raw.getPort(), true);
    tls = made;
    made.setUseClientMode(isCaller);
    made.setNeedClientAuth(true);
    made.setEnabledProtocols(new String[] {PROTOCOL});
    made.startHandshake();
    in = new DataInputStream(new BufferedInputStream(made.getInputStream(), BUFFER_BYTES));
    out = new DataOutputStream(new BufferedOutputStream(made.getOutputStream(), BUFFER_BYTES));
  }

  private ExtendedSSLSession session() {
    return (ExtendedSSLSession) requireNonNull(tls).getSession();
  }

  X509Certificate certificate() throws IOException {
    return (X509Certificate) session().getPeerCertificates()[0];
  }

  /** Bytes that only the two sides of this connection know (RFC 8446, 7.5). */
  byte[] exported() throws IOException {
    return session().exportKeyingMaterialData(EXPORTER, new byte[0], EXPORTED_BYTES);
  }

  /** Waits for a frame as long as that takes, and then for its length; the rest is due within. */
  int readLength(Duration within) throws IOException {
    InputStream from = requireNonNull(in);
    int length = from.read();
    if (length < 0) {
      throw new EOFException("the other side has closed the connection");
    }
    expect(within);
    for (int i = 1; i < Integer.BYTES; i++) {
      int next = from.read();
      if (next < 0) {
        throw new EOFException("the connection ended within a length");
      }
      length = length << Byte.SIZE | next;
    }
    return length;
  }

  byte[] read(int length) throws IOException {
    byte[] bytes = new byte[length];
    requireNonNull(in).readFully(bytes);
    return bytes;
  }

  void write(byte[] bytes) throws IOException {
    requireNonNull(out).write(bytes);
  }

  void writeFrame(byte[] frame) throws IOException {
    requireNonNull(out).writeInt(frame.length);
    write(frame);
  }

  void flush() throws IOException {
    requireNonNull(out).flush();
  }

  /** Sets a deadline for the next work of this thread. */
  void expect(Duration within) {
    slowAt = clock.nanos() + within.toNanos();
  }

  void clearDeadline() {
    slowAt = NEVER;
  }

  /** A sign of life has come; the next one is expected. */
  void alive(Duration nextWithin) {
    silentAt = clock.nanos() + nextWithin.toNanos();
  }

  /** Nothing is read for a while, so that no sign of life can come. */
  void pauseSilenceDeadline() {
    silentAt = NEVER;
  }

  /** The other side has shown which replica it is. */
  void identify(ReplicaId replica) {
    peer = replica;
  }

  /** The replica at the other side; null for a stranger. */
  @Nullable ReplicaId peer() {
    return peer;
  }

  Optional<LinkFault> overdue() {
    long now = clock.nanos();
    if (isPast(slowAt, now)) {
      return Optional.of(LinkFault.SLOW);
    }
    return isPast(silentAt, now) ? Optional.of(LinkFault.SILENT) : Optional.empty();
  }

  private static boolean isPast(long end, long now) {
    return end != NEVER && now - end > 0;
  }

  /** True when this side closed it; TLS closes it too. */
  boolean isEndedHere() {
    return isEndedHere;
  }

  /** Ends all that blocks on this connection; without a farewell, which might block. */
  @Override
  public void close() {
    isEndedHere = true;
    try {
      raw.close();
    } catch (IOException _) {
      // it is of no use any more
    }
  }
}
