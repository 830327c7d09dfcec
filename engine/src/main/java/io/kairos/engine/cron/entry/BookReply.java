package io.kairos.engine.cron.entry;

import static java.util.Objects.requireNonNull;

import io.kairos.engine.cron.BytesIn;
import io.kairos.engine.cron.BytesOut;

/** The answer of an {@link EntryBook} to a {@link BookCommand}. */
public sealed interface BookReply {
  /** The command was carried out. */
  record Done() implements BookReply {}

  /** This number of entries was removed. */
  record Removed(int count) implements BookReply {}

  /** The position has an entry, which stays. */
  record PositionInUse() implements BookReply {}

  /** There is no such entry or table. */
  record NotFound() implements BookReply {}

  /** The replicas have no module of that name. */
  record UnknownModule() implements BookReply {}

  /** The bytes are not a command. Nothing was done. */
  record Invalid(String message) implements BookReply {
    public Invalid {
      requireNonNull(message, "message");
    }
  }

  /** There is no room for another table or entry. */
  record Full() implements BookReply {}

  /** The reply of a module. */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record FromModule(byte[] reply) implements BookReply {
    public FromModule {
      requireNonNull(reply, "reply");
    }
  }

  /** Encodes the reply. */
  default byte[] encode() {
    BytesOut out = new BytesOut().number8(BookMessageKind.VERSION);
    switch (this) {
      case Done() -> out.number8(BookMessageKind.DONE);
      case Removed(int count) -> out.number8(BookMessageKind.REMOVED).number32(count);
      case PositionInUse() -> out.number8(BookMessageKind.TAKEN);
      case NotFound() -> out.number8(BookMessageKind.NOT_FOUND);
      case UnknownModule() -> out.number8(BookMessageKind.UNKNOWN_MODULE);
      case Invalid(var message) -> out.number8(BookMessageKind.INVALID).text(message);
      case Full() -> out.number8(BookMessageKind.FULL);
      case FromModule(var reply) -> out.number8(BookMessageKind.FROM_MODULE).bytes(reply);
    }
    return out.done();
  }

  /** Decodes a reply; throws {@link IllegalArgumentException} for other bytes. */
  static BookReply decode(byte[] bytes) {
    BytesIn in = new BytesIn(bytes).version(BookMessageKind.VERSION);
    BookReply reply =
        switch (in.number8()) {
          case BookMessageKind.DONE -> new Done();
          case BookMessageKind.REMOVED -> new Removed(in.number32());
          case BookMessageKind.TAKEN -> new PositionInUse();
          case BookMessageKind.NOT_FOUND -> new NotFound();
          case BookMessageKind.UNKNOWN_MODULE -> new UnknownModule();
          case BookMessageKind.INVALID -> new Invalid(in.text());
          case BookMessageKind.FULL -> new Full();
          case BookMessageKind.FROM_MODULE -> new FromModule(in.bytes());
          default -> throw in.unknown("reply");
        };
    in.end();
    return reply;
  }
}
