import io.kairos.generated.ApiClient;
import io.kairos.generated.ApiException;
import io.kairos.generated.api.HandlerServiceApi;
import io.kairos.generated.api.ScheduleServiceApi;
import io.kairos.generated.api.TaskServiceApi;
import io.kairos.generated.api.WorkerServiceApi;
import io.kairos.generated.model.NextWorkRequest;
import io.kairos.generated.model.Result;
import io.kairos.generated.model.Schedule;
import io.kairos.generated.model.ScheduleTaskRequest;
import io.kairos.generated.model.ScheduleTaskResponse;
import io.kairos.generated.model.ScheduleTarget;
import io.kairos.generated.model.SetResultRequest;
import io.kairos.generated.model.Task;
import io.kairos.generated.model.TaskState;
import io.kairos.generated.model.Work;
import java.util.List;
import java.util.Map;

/** The way of a newcomer, with a client that was generated from the node's OpenAPI document. */
public final class FiveMinutes {
  public static void main(String[] words) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(words[0]);
    TaskServiceApi tasks = new TaskServiceApi(client);
    WorkerServiceApi workers = new WorkerServiceApi(client);

    ScheduleTaskRequest greeting =
        new ScheduleTaskRequest().handler("greet").json(Map.of("name", "world")).delay("0s");
    ScheduleTaskResponse accepted = tasks.scheduleTask(greeting, "greeting-1");
    ScheduleTaskResponse again = tasks.scheduleTask(greeting, "greeting-1");
    require(again.getDuplicate() && again.getId().equals(accepted.getId()), "counted once");

    Work work =
        workers
            .nextWork(new NextWorkRequest().worker("w").addHandlersItem("greet").maxTasks(1))
            .getWork()
            .get(0);
    require(work.getText().equals("{\"name\":\"world\"}"), work.getText());
    require(work.getJson().equals(Map.of("name", "world")), work.getJson());
    workers.setResult(
        new SetResultRequest()
            .worker("w")
            .addResultsItem(
                new Result().id(work.getId()).fence(work.getFence()).success(Map.of())));

    Task done = tasks.getTask(accepted.getId());
    require(done.getState() == TaskState.SUCCEEDED, done);
    require(
        new HandlerServiceApi(client).getHandler("greet").getName().equals("greet"), "handler");

    ScheduleServiceApi schedules = new ScheduleServiceApi(client);
    Schedule daily =
        schedules.createSchedule(
            new Schedule()
                .name("reports/daily")
                .every("3600s")
                .target(new ScheduleTarget().handler("greet").text("again")),
            null);
    require(daily.getNextFires().size() == 10, daily);
    Schedule hourly = new Schedule().every("7200s");
    schedules.updateSchedule(daily.getName(), hourly, null, daily.getEtag());
    try {
      schedules.updateSchedule(daily.getName(), hourly.every("60s"), null, daily.getEtag());
      throw new IllegalStateException("an older ETag was taken");
    } catch (ApiException e) {
      require(e.getCode() == 412 && e.getResponseBody().contains("stale-etag"), e);
    }
    Schedule now = schedules.getSchedule(daily.getName());
    require(now.getEvery().equals("7200s"), now);
    System.out.println("all of it works: " + List.of(done.getState(), now.getState()));
  }

  private static void require(boolean holds, Object what) {
    if (!holds) {
      throw new IllegalStateException(String.valueOf(what));
    }
  }
}
