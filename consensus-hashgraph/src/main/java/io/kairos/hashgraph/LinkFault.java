package io.kairos.hashgraph;

/** Trouble with a connection between replicas, each of which ends it, except dropped messages. */
public enum LinkFault {
  /** It was no TLS, or the certificate is not trusted. */
  UNTRUSTED,
  /** The certificate is for the host of another replica. */
  OTHER_HOST,
  /** The first message is not signed by the replica that it names, for this connection. */
  IMPOSTOR,
  /** A handshake or a message took too long. */
  SLOW,
  /** Nothing was heard for too long. */
  SILENT,
  /** A message is longer than any can be. */
  OVERSIZED,
  /** A message that is none. */
  GARBAGE,
  /**
   * Too many connections, in a second or without showing whose they are, or no more could be
   * accepted.
   */
  CROWDED,
  /** A message to this replica was dropped, because too many wait. */
  DROPPED
}
