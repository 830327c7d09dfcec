package io.kairos.hashgraph;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What replicas send each other. Whoever carries messages vouches for their sender; events bear the
 * signature of their creator and may come from anyone.
 */
sealed interface PeerMessage {
  int MOST_NAMES = 1_024;

  /** Events, parents before children as far as the sender knows. */
  record Events(List<byte[]> events) implements PeerMessage {}

  /**
   * A question for events. The answer are events that are neither these nor their ancestors.
   *
   * @param round the first undecided round of the sender
   * @param keeps the first round of birth of which the sender still has all events
   */
  record Sync(long round, long keeps, List<EventHash> tips) implements PeerMessage {}

  /** A question for the last snapshot. */
  record AskSnapshot() implements PeerMessage {}

  /** The last snapshot of the sender. */
  @SuppressWarnings("ArrayRecordComponent") // opaque
  record Snapshot(byte[] bytes) implements PeerMessage {}

  /** Returns the bytes of a message, one byte of kind first. */
  default byte[] encode() {
    return switch (this) {
      case Events(List<byte[]> events) -> {
        int size = 1;
        for (byte[] event : events) {
          size = Math.addExact(size, Integer.BYTES + event.length);
        }
        ByteBuffer to = ByteBuffer.allocate(size).put((byte) 1);
        events.forEach(event -> to.putInt(event.length).put(event));
        yield to.array();
      }
      case Sync(long round, long keeps, List<EventHash> tips) -> {
        ByteBuffer to =
            ByteBuffer.allocate(1 + 2 * Long.BYTES + tips.size() * EventHash.BYTES)
                .put((byte) 2)
                .putLong(round)
                .putLong(keeps);
        tips.forEach(tip -> to.put(tip.bytes()));
        yield to.array();
      }
      case AskSnapshot _ -> new byte[] {3};
      case Snapshot(byte[] bytes) ->
          ByteBuffer.allocate(1 + bytes.length).put((byte) 4).put(bytes).array();
    };
  }

  /** Decodes a message; empty for other bytes. Events in it are not looked at. */
  static Optional<PeerMessage> decode(byte[] bytes, HashgraphConfig.Bounds bounds) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    try {
      return switch (from.get()) {
        case 1 -> events(from, bounds);
        case 2 -> sync(from);
        case 3 -> from.hasRemaining() ? Optional.empty() : Optional.of(new AskSnapshot());
        case 4 -> snapshot(from, bounds);
        default -> Optional.empty();
      };
    } catch (BufferUnderflowException e) {
      return Optional.empty();
    }
  }

  private static Optional<PeerMessage> events(ByteBuffer from, HashgraphConfig.Bounds bounds) {
    List<byte[]> events = new ArrayList<>();
    while (from.hasRemaining()) {
      int length = from.getInt();
      if (length < Event.LEAST_BYTES || length > from.remaining() || length > bounds.eventBytes()) {
        return Optional.empty();
      }
      byte[] event = new byte[length];
      from.get(event);
      events.add(event);
    }
    return Optional.of(new Events(events));
  }

  private static Optional<PeerMessage> sync(ByteBuffer from) {
    long round = from.getLong();
    long keeps = from.getLong();
    int tips = from.remaining() / EventHash.BYTES;
    if (from.remaining() % EventHash.BYTES != 0 || tips > MOST_NAMES || round < 1 || keeps < 0) {
      return Optional.empty();
    }
    List<EventHash> hashes = new ArrayList<>(tips);
    for (int i = 0; i < tips; i++) {
      byte[] hash = new byte[EventHash.BYTES];
      from.get(hash);
      hashes.add(new EventHash(hash));
    }
    return Optional.of(new Sync(round, keeps, hashes));
  }

  private static Optional<PeerMessage> snapshot(ByteBuffer from, HashgraphConfig.Bounds bounds) {
    if (from.remaining() > bounds.snapshotBytes()) {
      return Optional.empty();
    }
    byte[] bytes = new byte[from.remaining()];
    from.get(bytes);
    return Optional.of(new Snapshot(bytes));
  }
}
