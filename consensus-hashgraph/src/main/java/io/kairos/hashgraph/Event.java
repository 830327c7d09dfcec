package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A signed event of the graph. Its form has one encoding only, so that nobody can give an event
 * another name; the hash covers the name of the cluster and everything but the signature.
 *
 * @param bytes the event as it is sent, signature last
 */
@SuppressWarnings("ArrayRecordComponent") // compared by hash
record Event(Body body, EventHash hash, byte[] bytes) {
  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = 2 + Long.BYTES * 3 + Integer.BYTES + 1 + Short.BYTES;

  /** No event is smaller. */
  static final int LEAST_BYTES = FIXED_BYTES + EventKeys.SIGNATURE_BYTES;

  private static final int PARENT_BYTES = 1 + Long.BYTES + EventHash.BYTES;

  /** Most bytes of an event with one request, without the request. */
  static final int MOST_HEAD_BYTES =
      FIXED_BYTES
          + PARENT_BYTES * HashgraphConfig.MOST_REPLICAS
          + Integer.BYTES
          + EventKeys.SIGNATURE_BYTES;

  private static final int MOST_REQUESTS = 1_000;

  /**
   * The year 2261, up to which nanoseconds from 1970 fit into a long. The engine calculates with
   * these, and died of an event of the year 3000.
   */
  private static final long LATEST_SECOND = 9_200_000_000L;

  /** Events are dated from 1970 to here. */
  static final Instant LATEST = Instant.ofEpochSecond(LATEST_SECOND);

  /**
   * A parent by name. What it says of the parent is compared with the parent where that is known.
   */
  record Parent(ReplicaId creator, long birthRound, EventHash hash) {}

  /**
   * The signed part.
   *
   * @param birthRound the first round that was undecided at the creator
   * @param coin random bits that decide votes which nothing else can
   * @param parents the creator's event before this one first, if it has one; of each creator one
   * @param requests not to be changed
   */
  record Body(
      ReplicaId creator,
      long birthRound,
      Instant created,
      long coin,
      List<Parent> parents,
      List<byte[]> requests) {
    Body {
      parents = List.copyOf(parents);
    }
  }

  ReplicaId creator() {
    return body.creator();
  }

  long birthRound() {
    return body.birthRound();
  }

  int size() {
    return bytes.length;
  }

  /** Memory that the event takes, roughly. */
  long heldBytes() {
    return (long) bytes.length + EventGraph.EVENT_OVERHEAD;
  }

  /** The event of its creator before this one. */
  Optional<Parent> selfParent() {
    List<Parent> parents = body.parents();
    return parents.isEmpty() || !parents.getFirst().creator().equals(creator())
        ? Optional.empty()
        : Optional.of(parents.getFirst());
  }

  byte[] signature() {
    byte[] signature = new byte[EventKeys.SIGNATURE_BYTES];
    ByteBuffer.wrap(bytes).position(bytes.length - signature.length).get(signature);
    return signature;
  }

  static Event sign(Body body, String cluster, EventKeys keys) {
    byte[] unsigned = encode(body);
    EventHash hash = hash(cluster, unsigned, unsigned.length);
    byte[] bytes =
        ByteBuffer.allocate(unsigned.length + EventKeys.SIGNATURE_BYTES)
            .put(unsigned)
            .put(keys.sign(hash.bytes()))
            .array();
    return new Event(body, hash, bytes);
  }

  private static byte[] encode(Body body) {
    int size = FIXED_BYTES + body.parents().size() * PARENT_BYTES;
    for (byte[] request : body.requests()) {
      size = Math.addExact(size, Integer.BYTES + request.length);
    }
    ByteBuffer to = ByteBuffer.allocate(size);
    to.put(VERSION).put((byte) body.creator().number()).putLong(body.birthRound());
    Instant created = body.created();
    to.putLong(created.getEpochSecond()).putInt(created.getNano());
    to.putLong(body.coin()).put((byte) body.parents().size());
    for (Parent parent : body.parents()) {
      to.put((byte) parent.creator().number()).putLong(parent.birthRound());
      to.put(parent.hash().bytes());
    }
    to.putShort((short) body.requests().size());
    body.requests().forEach(request -> to.putInt(request.length).put(request));
    return to.array();
  }

  /** Decodes an event; empty for other bytes. The signature is not verified. */
  static Optional<Event> decode(byte[] bytes, HashgraphConfig config) {
    if (bytes.length > config.bounds().eventBytes() || bytes.length < LEAST_BYTES) {
      return Optional.empty();
    }
    int signed = bytes.length - EventKeys.SIGNATURE_BYTES;
    try {
      return body(bytes, signed, config.cluster())
          .map(body -> new Event(body, hash(config.clusterName(), bytes, signed), bytes));
    } catch (BufferUnderflowException e) {
      return Optional.empty();
    }
  }

  private static Optional<Body> body(byte[] event, int signed, ReplicaGroup cluster) {
    ByteBuffer from = ByteBuffer.wrap(event, 0, signed);
    byte version = from.get();
    int creator = from.get();
    long birthRound = from.getLong();
    long second = from.getLong();
    int nano = from.getInt();
    long coin = from.getLong();
    int parentCount = from.get();
    if (version != VERSION
        || creator < 0
        || creator >= cluster.size()
        || birthRound < 1
        || second < 0
        || second > LATEST_SECOND
        || nano < 0
        || nano > 999_999_999
        || parentCount < 0
        || parentCount > cluster.size()) {
      return Optional.empty();
    }
    List<Parent> parents = new ArrayList<>(parentCount);
    long creators = 0;
    for (int i = 0; i < parentCount; i++) {
      int of = from.get();
      long born = from.getLong();
      byte[] hash = new byte[EventHash.BYTES];
      from.get(hash);
      boolean isOutside = of < 0 || of >= cluster.size() || born < 1 || born > birthRound;
      if (isOutside || (creators >> of & 1) == 1 || (of == creator && i > 0)) {
        return Optional.empty();
      }
      creators |= 1L << of;
      parents.add(new Parent(new ReplicaId(of), born, new EventHash(hash)));
    }
    int requestCount = from.getShort();
    if (requestCount < 0 || requestCount > MOST_REQUESTS) {
      return Optional.empty();
    }
    int[] starts = new int[requestCount];
    for (int i = 0; i < requestCount; i++) {
      int length = from.getInt();
      if (length < 0 || length > from.remaining()) {
        return Optional.empty();
      }
      starts[i] = from.position();
      from.position(starts[i] + length);
    }
    return from.hasRemaining()
        ? Optional.empty()
        : Optional.of(
            new Body(
                new ReplicaId(creator),
                birthRound,
                Instant.ofEpochSecond(second, nano),
                coin,
                parents,
                new Requests(event, starts)));
  }

  /** The requests in the bytes of an event, each copied when it is asked for. */
  private static final class Requests extends AbstractList<byte[]> {
    private final byte[] event;
    private final int[] starts;

    Requests(byte[] event, int[] starts) {
      this.event = event;
      this.starts = starts;
    }

    @Override
    public byte[] get(int index) {
      int start = starts[index];
      return Arrays.copyOfRange(
          event, start, start + ByteBuffer.wrap(event).getInt(start - Integer.BYTES));
    }

    @Override
    public int size() {
      return starts.length;
    }
  }

  /** Returns whether one more request fits into an event. */
  static boolean fits(int requests, int requestBytes, int next, int eventBytes) {
    return requests < MOST_REQUESTS
        && (long) MOST_HEAD_BYTES + requestBytes + (long) Integer.BYTES * requests + next
            <= eventBytes;
  }

  private static EventHash hash(String cluster, byte[] bytes, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-384");
      byte[] name = cluster.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(name.length).array());
      digest.update(name);
      digest.update(bytes, 0, length);
      return new EventHash(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-384", e);
    }
  }
}
