package io.kairos.server.config;

/** Makes a node's steps run. */
public enum LoopDriver {
  /** The node's own loops. */
  INTERNAL,
  /** Polls from outside. */
  EXTERNAL
}
