package io.kairos.spring;

import io.kairos.client.KairosClient;
import io.kairos.client.worker.Worker;
import java.util.Set;

/** The nodes that the application's client and worker call. Thread-safe. */
interface Nodes extends AutoCloseable {
  /** Returns the builder of a client of these nodes. */
  KairosClient.Builder client();

  /** Returns the builder of a worker of these nodes. */
  Worker.Builder worker();

  /** See {@link KairosMode#start}. */
  void start(Set<String> handlers);

  /** Returns in a few words what has answered a call. */
  String answered();

  @Override
  void close();
}
