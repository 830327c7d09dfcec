package io.kairos.bench.task;

import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.NodeSettings;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.RouteTopics;
import java.util.ArrayList;
import java.util.List;

/** Further nodes on the same machine; load and workers talk to all of them. */
final class MoreNodes implements Change {
  private final Rig rig;
  private final RouteTopics topics;
  private final NodeSettings settings;
  private final int count;
  private final List<NodeProcess> added = new ArrayList<>();

  MoreNodes(Rig rig, RouteTopics topics, NodeSettings settings, int count) {
    this.rig = rig;
    this.topics = topics;
    this.settings = settings;
    this.count = count;
  }

  @Override
  public String about() {
    return count + " more node(s)";
  }

  @Override
  public void make() {
    for (int i = 0; i < count; i++) {
      added.add(rig.startNode(topics, settings));
    }
  }

  @Override
  public boolean undo() {
    added.forEach(NodeProcess::stop);
    added.clear();
    return true;
  }
}
