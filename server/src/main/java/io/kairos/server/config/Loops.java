package io.kairos.server.config;

/** Who has a node look for what time has made due. */
public enum Loops {
  /** The node itself, again and again. */
  INTERNAL,
  /** Somebody outside, by polls. */
  EXTERNAL
}
