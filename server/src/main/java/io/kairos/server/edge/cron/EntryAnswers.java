package io.kairos.server.edge.cron;

import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronFire;
import io.kairos.api.v1.CronTable;
import io.kairos.api.v1.ListCronFiresResponse;
import io.kairos.api.v1.ListCronTablesResponse;
import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.Failure;
import io.kairos.engine.cron.entry.Entry;
import io.kairos.engine.cron.entry.Fired;
import io.kairos.engine.cron.entry.NextFire;
import io.kairos.engine.cron.entry.When;
import io.kairos.engine.cron.entry.Work;
import io.kairos.server.edge.task.Payloads;
import io.kairos.server.edge.task.TaskAnswers;
import java.util.List;

/** Tables, entries and fires in the words of the wire. */
final class EntryAnswers {
  private EntryAnswers() {}

  static ListCronTablesResponse tables(List<SeenTable> tables) {
    ListCronTablesResponse.Builder answer = ListCronTablesResponse.newBuilder();
    for (SeenTable table : tables) {
      answer.addTables(
          CronTable.newBuilder()
              .setComponent(table.settings().component().value())
              .setTick(TaskAnswers.duration(table.settings().tick()))
              .setEntries(table.entries())
              .setFailures(table.failures())
              .setRound(table.round()));
    }
    return answer.build();
  }

  static CronEntry entry(SeenEntry seen) {
    Entry entry = seen.state().entry();
    CronEntry.Builder wire =
        CronEntry.newBuilder()
            .setComponent(entry.component().value())
            .setPosition(entry.position())
            .setTitle(entry.title())
            .setFires(seen.state().fires());
    when(wire, entry.when());
    work(wire, entry.work());
    next(wire, seen.state().next());
    Fired last = seen.state().last();
    if (last != null) {
      wire.setLastFire(fire(last));
    }
    Failure failure = seen.failure();
    if (failure != null) {
      wire.setLastFailure(failure(failure));
    }
    return wire.build();
  }

  private static void when(CronEntry.Builder wire, When when) {
    switch (when) {
      case When.EveryTick() -> wire.setEveryTick(true);
      case When.EverySequences(long count) -> wire.setEverySequences(count);
      case When.Every(var period) -> wire.setEvery(TaskAnswers.duration(period));
      case When.FixedRate(var period, var anchor) ->
          wire.getFixedRateBuilder()
              .setPeriod(TaskAnswers.duration(period))
              .setAnchor(TaskAnswers.timestamp(anchor));
      case When.Cron(var expression) -> wire.setCron(expression);
      case When.Told() -> wire.setTold(true);
    }
  }

  private static void work(CronEntry.Builder wire, Work work) {
    switch (work) {
      case Work.EnqueueTask(var handler, var payload, var key) ->
          wire.getEnqueueTaskBuilder()
              .setHandler(handler)
              .setPayload(Payloads.out(payload))
              .setKey(key);
      case Work.PostMessage(var topic, var key, var value, var delay) ->
          wire.getPostMessageBuilder()
              .setTopic(topic)
              .setKey(Payloads.out(key))
              .setValue(Payloads.out(value))
              .setDelay(TaskAnswers.duration(delay));
      case Work.Push(var url, var contentType, var body) ->
          wire.getPushBuilder().setUrl(url).setContentType(contentType).setBody(Payloads.out(body));
      case Work.Prune(var keep) -> wire.setPrune(TaskAnswers.duration(keep));
      case Work.Run(var module, var argument) ->
          wire.getRunBuilder().setModule(module).setArgument(Payloads.out(argument));
      case Work.DecideSchedule(var schedule) ->
          wire.getDecideScheduleBuilder().setSchedule(schedule.value());
    }
  }

  private static void next(CronEntry.Builder wire, NextFire next) {
    switch (next) {
      case NextFire.NextTick() -> wire.getNextFireBuilder().setNextTick(true);
      case NextFire.AtSequence(long sequence) -> wire.getNextFireBuilder().setSequence(sequence);
      case NextFire.At(var instant) ->
          wire.getNextFireBuilder().setTime(TaskAnswers.timestamp(instant));
      case NextFire.NotKnown() -> {}
    }
  }

  static ListCronFiresResponse fires(List<Fired> fires) {
    ListCronFiresResponse.Builder answer = ListCronFiresResponse.newBuilder();
    fires.forEach(fired -> answer.addFires(fire(fired)));
    return answer.build();
  }

  private static CronFire fire(Fired fired) {
    CronFire.Builder wire =
        CronFire.newBuilder().setSequence(fired.sequence()).setPosition(fired.position());
    if (fired.at() instanceof AgreedTime.At(var instant)) {
      wire.setFireTime(TaskAnswers.timestamp(instant));
    }
    return wire.build();
  }

  private static CronEntry.Failure failure(Failure failure) {
    return CronEntry.Failure.newBuilder()
        .setCallback(
            switch (failure.callback()) {
              case RULE -> CronEntry.Failure.Callback.RULE;
              case SCHEDULE_NEXT -> CronEntry.Failure.Callback.SCHEDULE_NEXT;
              case ACTION -> CronEntry.Failure.Callback.ACTION;
              case ON_REMOVE -> CronEntry.Failure.Callback.ON_REMOVE;
            })
        .setCount(failure.count())
        .setSequence(failure.sequence())
        .setKind(failure.kind())
        .build();
  }
}
