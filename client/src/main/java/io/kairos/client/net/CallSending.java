package io.kairos.client.net;

import io.grpc.ClientStreamTracer;
import io.grpc.ClientStreamTracer.StreamInfo;
import io.grpc.Metadata;

/**
 * Observes whether a call was sent to a node before it failed. gRPC notifies it when the headers
 * are on the wire. A transparent retry of gRPC resets it, because the node has not processed the
 * first stream then. One object per call. Thread-safe.
 */
public final class CallSending extends ClientStreamTracer.Factory {
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

  /** True when headers were sent; call it when the call has ended. */
  public boolean hasBegun() {
    return sent;
  }
}
