package io.kairos.bench.task;

import io.kairos.bench.delay.LoadOptions;
import io.kairos.bench.delay.Progress;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.RouteTopics;
import picocli.CommandLine.Option;

/** What is different in the second measurement: one of these. */
final class ChangeOptions {
  @Option(
      names = "--hot-key",
      paramLabel = "TASKS",
      description = "Change: one more key, with so many tasks that are due.")
  int hotKey;

  @Option(
      names = "--limited",
      description = "Change: a cap and a rate limit of the queue, too high to be reached.")
  boolean limited;

  @Option(
      names = "--behind-cap",
      paramLabel = "TASKS",
      description =
          "Change: so many overdue tasks of another handler, of which one may run at a time.")
  long behindCap;

  @Option(names = "--more-nodes", description = "Change: so many more nodes.")
  int moreNodes;

  Change chosen(Rig rig, RouteTopics topics, LoadOptions load, Progress progress) {
    if (hotKey > 0) {
      return new HotKey(rig, hotKey, load.valueBytes, progress);
    }
    if (behindCap > 0) {
      return new BehindCap(rig, behindCap, load.valueBytes, progress);
    }
    return limited ? new Limits(rig) : new MoreNodes(rig, topics, load.node(), moreNodes);
  }
}
