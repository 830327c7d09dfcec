package io.kairos.hashgraph;

import io.kairos.domain.check.HashFunction;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A message between replicas. Whoever carries messages vouches for their sender; events bear the
 * signature of their creator and may come from anyone.
 */
sealed interface PeerMessage {
  int MOST_NAMES = 1_024;
  int MOST_EVENTS = 64;

  /** The longest message. */
  static int mostBytes(HashgraphConfig.Bounds bounds) {
    int events = 1 + bounds.syncBytes() + MOST_EVENTS * Integer.BYTES;
    int names = 1 + 3 * Long.BYTES + MOST_NAMES * EventHash.BYTES;
    int piece = 1 + Offer.DIGEST_BYTES + Integer.BYTES + bounds.pieceBytes();
    return Math.max(events, Math.max(names, piece));
  }

  /**
   * Events, parents before children as far as the sender knows.
   *
   * @param isAnswer to a question, also when there is nothing to say
   */
  record Events(boolean isAnswer, List<byte[]> events) implements PeerMessage {
    Events(List<byte[]> events) {
      this(false, events);
    }
  }

  /**
   * A question for events. The answer are events that are neither these nor their ancestors.
   *
   * @param round the first undecided round of the sender
   * @param keeps the first round of birth of which the sender still has all events
   * @param ancientBelow events born before this round are of no use to the sender, and would take
   *     the room of others in each answer
   */
  record Sync(long round, long keeps, long ancientBelow, List<EventHash> tips)
      implements PeerMessage {}

  /** A question for the snapshots that the other has. */
  record AskOffers() implements PeerMessage {}

  /** The last snapshots of the sender. */
  record Offers(List<Offer> offers) implements PeerMessage {
    public Offers {
      offers = List.copyOf(offers);
    }
  }

  /** A question for bytes of a snapshot, from an offset on. */
  record AskPiece(String digest, int offset) implements PeerMessage {}

  /** Bytes of a snapshot. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Piece(String digest, int offset, byte[] bytes) implements PeerMessage {}

  /**
   * A snapshot by name.
   *
   * @param digest its SHA-256, in hexadecimal digits
   */
  record Offer(long round, int bytes, String digest) {
    private static final int DIGEST_BYTES = 32;
    private static final int ENCODED_BYTES = Long.BYTES + Integer.BYTES + DIGEST_BYTES;
    private static final int MOST = 4;

    static String digest(byte[] snapshot) {
      return HexFormat.of().formatHex(HashFunction.sha256().digest(snapshot));
    }

    private static String digest(ByteBuffer from) {
      byte[] digest = new byte[DIGEST_BYTES];
      from.get(digest);
      return HexFormat.of().formatHex(digest);
    }
  }

  /** Returns the bytes of a message, one byte of kind first. */
  default byte[] encode() {
    return switch (this) {
      case Events(boolean isAnswer, List<byte[]> events) -> {
        int size = 1;
        for (byte[] event : events) {
          size = Math.addExact(size, Integer.BYTES + event.length);
        }
        ByteBuffer to = ByteBuffer.allocate(size).put((byte) (isAnswer ? 7 : 1));
        events.forEach(event -> to.putInt(event.length).put(event));
        yield to.array();
      }
      case Sync(long round, long keeps, long ancientBelow, List<EventHash> tips) -> {
        ByteBuffer to =
            ByteBuffer.allocate(1 + 3 * Long.BYTES + tips.size() * EventHash.BYTES)
                .put((byte) 2)
                .putLong(round)
                .putLong(keeps)
                .putLong(ancientBelow);
        tips.forEach(tip -> to.put(tip.bytes()));
        yield to.array();
      }
      case AskOffers _ -> new byte[] {3};
      case Offers(List<Offer> offers) -> {
        ByteBuffer to = ByteBuffer.allocate(1 + offers.size() * Offer.ENCODED_BYTES).put((byte) 4);
        offers.forEach(each ->
            to.putLong(each.round())
                .putInt(each.bytes())
                .put(HexFormat.of().parseHex(each.digest())));
        yield to.array();
      }
      case AskPiece(String digest, int offset) ->
          ByteBuffer.allocate(1 + Offer.DIGEST_BYTES + Integer.BYTES)
              .put((byte) 5)
              .put(HexFormat.of().parseHex(digest))
              .putInt(offset)
              .array();
      case Piece(String digest, int offset, byte[] bytes) ->
          ByteBuffer.allocate(1 + Offer.DIGEST_BYTES + Integer.BYTES + bytes.length)
              .put((byte) 6)
              .put(HexFormat.of().parseHex(digest))
              .putInt(offset)
              .put(bytes)
              .array();
    };
  }

  /** Decodes a message; empty for other bytes. Events in it are not looked at. */
  static Optional<PeerMessage> decode(byte[] bytes, HashgraphConfig.Bounds bounds) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    try {
      return switch (from.get()) {
        case 1 -> events(false, from, bounds);
        case 2 -> sync(from);
        case 3 -> from.hasRemaining() ? Optional.empty() : Optional.of(new AskOffers());
        case 4 -> offers(from);
        case 5 -> askPiece(from);
        case 6 -> piece(from, bounds);
        case 7 -> events(true, from, bounds);
        default -> Optional.empty();
      };
    } catch (BufferUnderflowException e) {
      return Optional.empty();
    }
  }

  private static Optional<PeerMessage> events(
      boolean isAnswer, ByteBuffer from, HashgraphConfig.Bounds bounds) {
    List<byte[]> events = new ArrayList<>();
    while (from.hasRemaining()) {
      int length = from.getInt();
      if (length < Event.LEAST_BYTES
          || length > from.remaining()
          || length > bounds.eventBytes()
          || events.size() == MOST_EVENTS) {
        return Optional.empty();
      }
      byte[] event = new byte[length];
      from.get(event);
      events.add(event);
    }
    return Optional.of(new Events(isAnswer, events));
  }

  private static Optional<PeerMessage> sync(ByteBuffer from) {
    long round = from.getLong();
    long keeps = from.getLong();
    long ancientBelow = from.getLong();
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
    return Optional.of(new Sync(round, keeps, ancientBelow, hashes));
  }

  private static Optional<PeerMessage> offers(ByteBuffer from) {
    int count = from.remaining() / Offer.ENCODED_BYTES;
    if (from.remaining() % Offer.ENCODED_BYTES != 0 || count > Offer.MOST) {
      return Optional.empty();
    }
    List<Offer> offers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Offer offer = new Offer(from.getLong(), from.getInt(), Offer.digest(from));
      if (offer.round() < 1 || offer.bytes() < 1) {
        return Optional.empty();
      }
      offers.add(offer);
    }
    return Optional.of(new Offers(offers));
  }

  private static Optional<PeerMessage> askPiece(ByteBuffer from) {
    AskPiece question = new AskPiece(Offer.digest(from), from.getInt());
    return from.hasRemaining() || question.offset() < 0 ? Optional.empty() : Optional.of(question);
  }

  private static Optional<PeerMessage> piece(ByteBuffer from, HashgraphConfig.Bounds bounds) {
    String digest = Offer.digest(from);
    int offset = from.getInt();
    if (offset < 0 || from.remaining() > bounds.pieceBytes()) {
      return Optional.empty();
    }
    byte[] bytes = new byte[from.remaining()];
    from.get(bytes);
    return Optional.of(new Piece(digest, offset, bytes));
  }
}
