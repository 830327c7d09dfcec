package io.kairos.edge;

import java.io.IOException;
import java.net.InetAddress;

/** The HTTP edge cannot listen on its port. The message names the port and the setting. */
public final class PortTakenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PortTakenException(InetAddress address, int port, IOException cause) {
    super(
        "The HTTP edge cannot listen on port %d of %s (%s): stop the process that listens there, or choose another port with http.port or --port (0 takes a free one)."
            .formatted(port, address.getHostAddress(), cause.getMessage()),
        cause);
  }
}
