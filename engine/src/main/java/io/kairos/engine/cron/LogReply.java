package io.kairos.engine.cron;

/** The first byte of every reply; a request's own reply follows it. The numbers are stored. */
public enum LogReply {
  /** A tick evaluated its table. */
  EVALUATED(0),
  /** A tick was executed but not needed. */
  NOT_NEEDED(1),
  /** A request was executed. */
  EXECUTED(2),
  /** The application threw; nothing was done. */
  FAILED(3),
  /** The component has no table. */
  UNKNOWN_COMPONENT(4),
  /** The bytes are not a command, or a tick lacks its clock reading. */
  ILL_FORMED(5),
  /** A command that only a replica may submit came from another client. */
  NOT_YOURS(6),
  /** A report on effects was noted. */
  NOTED(7);

  private final byte number;

  LogReply(int number) {
    this.number = (byte) number;
  }

  /** Reads the first byte of a reply; throws {@link IllegalArgumentException} for other bytes. */
  public static LogReply of(byte[] reply) {
    for (LogReply each : values()) {
      if (reply.length > 0 && reply[0] == each.number) {
        return each;
      }
    }
    throw new IllegalArgumentException("this is no reply of a cron machine");
  }

  /** The one-byte reply to a tick. */
  byte[] alone() {
    return new byte[] {number};
  }

  byte[] with(byte[] reply) {
    byte[] whole = new byte[1 + reply.length];
    whole[0] = number;
    System.arraycopy(reply, 0, whole, 1, reply.length);
    return whole;
  }
}
