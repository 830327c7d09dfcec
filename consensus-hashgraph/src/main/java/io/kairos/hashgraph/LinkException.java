package io.kairos.hashgraph;

import java.io.IOException;

/** A connection that has to end, and what it did. */
final class LinkException extends IOException {
  private static final long serialVersionUID = 1;

  final LinkFault fault;

  LinkException(LinkFault fault, String what) {
    super(what);
    this.fault = fault;
  }
}
