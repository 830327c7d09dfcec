package io.kairos.client.net;

import io.grpc.ClientStreamTracer;
import io.grpc.ClientStreamTracer.StreamInfo;
import io.grpc.Metadata;

/**
 * Whether anything of a call has gone out to a node: a connection may have broken before. gRPC
 * tells it when the headers are on the wire; when it repeats a call by itself, it knows that the
 * node has not touched the one before. One for each call. Thread-safe.
 */
public final class Sending extends ClientStreamTracer.Factory {
  private volatile boolean sent;

  @Override
  public ClientStreamTracer newClientStreamTracer(StreamInfo info, Metadata headers) {
    if (info.isTransparentRetry()) {
      sent = false;
    }
    return new ClientStreamTracer() {
      @Override
      public void outboundHeaders() {
        sent = true;
      }
    };
  }

  /** Once the call has ended. */
  public boolean hasBegun() {
    return sent;
  }
}
