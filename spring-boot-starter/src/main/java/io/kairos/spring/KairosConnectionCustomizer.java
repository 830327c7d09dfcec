package io.kairos.spring;

import io.kairos.client.net.ConnectionBuilder;

/**
 * A bean that changes the connections to nodes further than properties can: a token that expires,
 * or another transport. Called once for each client and worker that is made.
 */
@FunctionalInterface
public interface KairosConnectionCustomizer {
  void customize(ConnectionBuilder<?> connection);
}
