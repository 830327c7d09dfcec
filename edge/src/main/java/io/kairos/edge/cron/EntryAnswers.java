package io.kairos.edge.cron;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.CronFire;
import io.kairos.api.v1.CronTable;
import io.kairos.api.v1.ListCronFiresResponse;
import io.kairos.api.v1.ListCronTablesResponse;
import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.EntryCallback;
import io.kairos.domain.cron.EntryFailure;
import io.kairos.edge.call.PayloadBytes;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.edge.task.PoolAnswers;
import io.kairos.engine.cron.entry.EntryDefinition;
import io.kairos.engine.cron.entry.EntryFire;
import io.kairos.engine.cron.entry.EntryState;
import io.kairos.engine.cron.entry.EntryTiming;
import io.kairos.engine.cron.entry.EntryWork;
import io.kairos.engine.cron.entry.NextFire;
import io.kairos.engine.cron.entry.TableSettings;
import java.util.List;
import java.util.Map;

/** Writes tables, entries and fires as API messages. */
final class EntryAnswers {
  private static final WireEnum<EntryCallback, CronEntry.Failure.Callback> CALLBACKS =
      new WireEnum<>(EntryCallback.class, CronEntry.Failure.Callback.class);

  private EntryAnswers() {}

  /** All tables, ordered by component. Called on the log's thread. */
  static ListCronTablesResponse tables(ReplicaView replica) {
    ListCronTablesResponse.Builder answer = ListCronTablesResponse.newBuilder();
    for (TableSettings settings : replica.book().tables()) {
      ComponentId component = settings.component();
      io.kairos.domain.cron.CronTable table = replica.machine().tables().table(component);
      answer.addTables(
          CronTable.newBuilder()
              .setComponent(component.value())
              .setTick(ProtoTime.of(settings.tick()))
              .setEntries(table.count())
              .setFailures(table.failureCount())
              .setRound(replica.machine().rounds().round(component)));
    }
    return answer.build();
  }

  /**
   * Writes an entry.
   *
   * @param failures recorded failures of its component's entries, by position
   */
  static CronEntry entry(EntryState state, Map<Integer, EntryFailure> failures) {
    EntryDefinition entry = state.entry();
    CronEntry.Builder wire =
        CronEntry.newBuilder()
            .setComponent(entry.component().value())
            .setPosition(entry.position())
            .setTitle(entry.title())
            .setFires(state.fires());
    when(wire, entry.when());
    work(wire, entry.work());
    next(wire, state.next());
    ifGiven(state.last(), last -> wire.setLastFire(fire(last)));
    ifGiven(failures.get(entry.position()), failure -> wire.setLastFailure(failure(failure)));
    return wire.build();
  }

  private static void when(CronEntry.Builder wire, EntryTiming when) {
    switch (when) {
      case EntryTiming.EveryTick() -> wire.setEveryTick(true);
      case EntryTiming.EverySequences(long count) -> wire.setEverySequences(count);
      case EntryTiming.Every(var period) -> wire.setEvery(ProtoTime.of(period));
      case EntryTiming.FixedRate(var period, var anchor) ->
          wire.getFixedRateBuilder()
              .setPeriod(ProtoTime.of(period))
              .setAnchor(ProtoTime.of(anchor));
      case EntryTiming.Cron(var expression) -> wire.setCron(expression);
      case EntryTiming.WhenReported() -> wire.setWhenReported(true);
      case EntryTiming.ByModule(var module, var argument) ->
          wire.getByModuleBuilder().setModule(module).setArgument(PayloadBytes.out(argument));
    }
  }

  private static void work(CronEntry.Builder wire, EntryWork work) {
    switch (work) {
      case EntryWork.EnqueueTask(var handler, var payload, var key) ->
          wire.getEnqueueTaskBuilder()
              .setHandler(handler)
              .setPayload(PayloadBytes.out(payload))
              .setKey(key);
      case EntryWork.PostMessage(var topic, var key, var value, var delay) ->
          wire.getPostMessageBuilder()
              .setTopic(topic)
              .setKey(PayloadBytes.out(key))
              .setValue(PayloadBytes.out(value))
              .setDelay(ProtoTime.of(delay));
      case EntryWork.Push(var url, var contentType, var body) ->
          wire.getPushBuilder()
              .setUrl(url)
              .setContentType(contentType)
              .setBody(PayloadBytes.out(body));
      case EntryWork.PushToPool(var pool, var request, var key) ->
          wire.getPushToPoolBuilder()
              .setPool(PoolAnswers.target(pool.value(), request))
              .setBody(PayloadBytes.out(request.body()))
              .setKey(key);
      case EntryWork.Prune(var keep) -> wire.setPrune(ProtoTime.of(keep));
      case EntryWork.Run(var module, var argument) ->
          wire.getRunBuilder().setModule(module).setArgument(PayloadBytes.out(argument));
      case EntryWork.DecideSchedule(var schedule) ->
          wire.getDecideScheduleBuilder().setSchedule(schedule.value());
    }
  }

  private static void next(CronEntry.Builder wire, NextFire next) {
    switch (next) {
      case NextFire.NextTick() -> wire.getNextFireBuilder().setNextTick(true);
      case NextFire.AtSequence(long sequence) -> wire.getNextFireBuilder().setSequence(sequence);
      case NextFire.At(var instant) -> wire.getNextFireBuilder().setTime(ProtoTime.of(instant));
      case NextFire.NotKnown() -> {}
    }
  }

  static ListCronFiresResponse fires(List<EntryFire> fires) {
    ListCronFiresResponse.Builder answer = ListCronFiresResponse.newBuilder();
    fires.forEach(fired -> answer.addFires(fire(fired)));
    return answer.build();
  }

  private static CronFire fire(EntryFire fired) {
    CronFire.Builder wire =
        CronFire.newBuilder().setSequence(fired.sequence()).setPosition(fired.position());
    if (fired.at() instanceof AgreedTime.At(var instant)) {
      wire.setFireTime(ProtoTime.of(instant));
    }
    return wire.build();
  }

  private static CronEntry.Failure failure(EntryFailure failure) {
    return CronEntry.Failure.newBuilder()
        .setCallback(CALLBACKS.write(failure.callback()))
        .setCount(failure.count())
        .setSequence(failure.sequence())
        .setKind(failure.kind())
        .build();
  }
}
