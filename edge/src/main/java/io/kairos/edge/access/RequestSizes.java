package io.kairos.edge.access;

import io.kairos.api.v1.Access.RequestSize;

/** The largest request of each {@link RequestSize}, and the most elements of any request. */
public final class RequestSizes {
  /**
   * Also the part of each body that counts as small. A longer one is parsed off the threads of the
   * connections.
   */
  public static final int SMALL = 64 << 10;

  /**
   * Fields and elements of one message, in JSON the tokens. A thousand messages with a hundred
   * headers each have fewer; so many empty ones are parsed in some 50 ms.
   */
  public static final int MOST_ELEMENTS = 400_000;

  private RequestSizes() {}

  /** Bytes of a body. A payload in JSON takes 4/3 of its size. */
  public static long most(RequestSize size, int maxPayloadBytes) {
    return switch (size) {
      case SMALL, UNRECOGNIZED -> SMALL;
      case LIST -> 1 << 20;
      case PAYLOAD -> (1 << 20) + 2L * maxPayloadBytes;
      case BATCH -> (16 << 20) + 2L * maxPayloadBytes;
    };
  }

  /** True when parsing may take so long that the threads of the connections must not do it. */
  public static boolean isLarge(RequestSize size) {
    return most(size, 0) > SMALL;
  }
}
