package io.kairos.bench.task;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.load.DueTimes;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import io.kairos.client.KairosClient;
import java.util.SplittableRandom;

/**
 * One more key, of the same queue, with very many tasks that are due. They are performed meanwhile,
 * one at a time.
 */
record HotKey(Rig rig, int tasks, int payloadBytes, Progress progress) implements Change {
  private static final int BATCH = 500;

  @Override
  public String about() {
    return "one key with %s tasks waiting".formatted(Shown.count(tasks));
  }

  @Override
  public void make() throws InterruptedException {
    KeyPlan one = new KeyPlan(1, tasks);
    long now = WallClock.micros();
    DueTimes inTheirOrder = (sequence, _) -> now + sequence;
    String[] addresses = rig.nodes().stream().map(NodeProcess::address).toArray(String[]::new);
    try (KairosClient client = KairosClient.connect(addresses);
        TaskLoad load =
            new TaskLoad(
                    KairosTarget.of(client, TaskWorkerMain.HANDLER)
                        .with((_, request) ->
                            request.key("hot").collection(TaskStoreCount.BYSTANDERS)),
                    TaskLoad.Plan.oneAfterTheOther(BATCH, one),
                    new Payload(new SplittableRandom().nextLong() >>> 1, payloadBytes),
                    inTheirOrder,
                    () -> 0)
                .start()) {
      load.join();
      if (load.accepted() != tasks) {
        throw new IllegalStateException("the tasks of the hot key were not all accepted");
      }
    }
    progress.say(about());
  }

  @Override
  public boolean undo() {
    return false;
  }
}
