package io.kairos.bench.attack;

import io.kairos.api.v1.HeartbeatRequest;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.SetResultRequest;
import io.kairos.domain.task.TaskId;

/** Attacks by calls that wait for the store: as many as go, of what is cheap to ask. */
final class StoreAttacks {
  /** As many as one call may have. */
  private static final int ITEMS = 1_000;

  private StoreAttacks() {}

  /** 200 heartbeats at a time, each of 1,000 leases that are invented. */
  static void heartbeats(AttackTarget target) {
    HeartbeatRequest.Builder beat = HeartbeatRequest.newBuilder().setWorker("attack");
    for (int i = 0; i < ITEMS; i++) {
      beat.addHeld(
          HeartbeatRequest.Held.newBuilder().setId(TaskId.at(i, 0, 0).toString()).setFence(1));
    }
    byte[] whole = BodyAttacks.message(beat.build().toByteArray());
    BodyAttacks.flood(target, 200, "WorkerService/Heartbeat", _ -> whole);
  }

  /** 200 calls at a time, each of a worker of its own with 1,000 results of the same task. */
  static void results(AttackTarget target) {
    SetResultRequest.Builder results = SetResultRequest.newBuilder();
    Result result =
        Result.newBuilder()
            .setId(TaskId.at(0, 0, 0).toString())
            .setFence(1)
            .setSuccess(Result.Success.getDefaultInstance())
            .build();
    for (int i = 0; i < ITEMS; i++) {
      results.addResults(result);
    }
    BodyAttacks.flood(
        target,
        200,
        "WorkerService/SetResult",
        call -> BodyAttacks.message(results.setWorker("attack-" + call).build().toByteArray()));
  }

  /** 400 lists of tasks at a time. */
  static void lists(AttackTarget target) {
    byte[] whole =
        BodyAttacks.message(ListTasksRequest.newBuilder().setPageSize(ITEMS).build().toByteArray());
    BodyAttacks.flood(target, 400, "TaskService/ListTasks", _ -> whole);
  }
}
