package io.kairos.testkit.task;

import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.TaskEvents;
import io.kairos.engine.task.port.Attempt;
import java.util.List;

/** For nodes whose metrics nobody looks at. */
public final class SilentTaskEvents implements TaskEvents {
  @Override
  public void accepted(int tasks, int enqueued) {}

  @Override
  public void started(QueueName queue, long latenessMicros) {}

  @Override
  public void finished(TaskState state) {}

  @Override
  public void retried() {}

  @Override
  public void givenBack() {}

  @Override
  public void heldBack(int tasks) {}

  @Override
  public void refused() {}

  @Override
  public void lapsed(List<Attempt> attempts) {}
}
