package io.kairos.server.edge;

import java.util.List;
import java.util.Map;

/** What the edge shows of any process. Called by the edge's threads at any time; must not block. */
public interface ProcessView {
  /** A few lines for a person who opens the address in a browser. */
  String greeting();

  /** Why the process should be started anew, one sentence each; empty while it is healthy. */
  List<String> ailments();

  /** Why no work should be expected of it at the moment, one sentence each. */
  List<String> obstacles();

  /** Figures beside the reasons, for whoever looks into them. */
  Map<String, Object> details();
}
