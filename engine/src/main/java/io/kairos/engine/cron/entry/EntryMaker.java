package io.kairos.engine.cron.entry;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronAction;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.EntryRule;
import io.kairos.domain.cron.FireAction;
import io.kairos.domain.cron.OnRemove;
import io.kairos.domain.cron.PeriodicEntries;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.outbox.EffectOutbox;
import io.kairos.domain.page.ReservedPages;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleState;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Makes entries of tables from stored entries. An entry keeps in memory what its rule needs at
 * every tick, so that a tick reads no page for an entry that is not due.
 */
record EntryMaker(
    ReservedPages pages,
    EntryPages entries,
    FireJournal journal,
    ScheduleEntries schedules,
    EffectOutbox outbox,
    Map<String, CronModule> modules) {

  /** The module that an entry needs and this process does not have. */
  Optional<String> missingModule(EntryDefinition entry) {
    return modules(entry).stream().filter(name -> !modules.containsKey(name)).findFirst();
  }

  /** The names of the modules of an entry: of its rule, of its action. */
  private static SequencedSet<String> modules(EntryDefinition entry) {
    SequencedSet<String> named = new LinkedHashSet<>();
    if (entry.when() instanceof EntryTiming.ByModule(var name, _)) {
      named.add(name);
    }
    if (entry.work() instanceof EntryWork.Run(var name, _)) {
      named.add(name);
    }
    return named;
  }

  private CronModule module(String name) {
    return requireNonNull(modules.get(name), name);
  }

  /**
   * Makes an entry; changes nothing.
   *
   * @param nextSequence the stored value
   */
  CronEntry make(CronTable table, EntryDefinition entry, long nextSequence) {
    CronEntry made = timed(table, entry, nextSequence);
    SequencedSet<String> named = modules(entry);
    return named.isEmpty()
        ? made
        : new CronEntry(
            made.position(),
            made.rule(),
            made.action(),
            made.scheduleNext(),
            (component, position) -> {
              OnRemove before = made.onRemove();
              if (before != null) {
                before.removed(component, position);
              }
              named.forEach(
                  name -> module(name).removed(component, position, new ModuleState(name, pages)));
            });
  }

  private CronEntry timed(CronTable table, EntryDefinition entry, long nextSequence) {
    int position = entry.position();
    CronAction atTick = tick -> fire(entry, tick, tick.time());
    FireAction dueAt = (tick, at) -> fire(entry, tick, new AgreedTime.At(at));
    return switch (entry.when()) {
      case EntryTiming.EveryTick() -> new CronEntry(position, rule(entry, _ -> true), atTick);
      case EntryTiming.EverySequences(long count) -> {
        SequenceTurn turn = new SequenceTurn(entry.component(), position, count, nextSequence);
        yield new CronEntry(position, rule(entry, turn::isDue), atTick, turn::schedule, null);
      }
      case EntryTiming.ByModule(var name, var argument) -> {
        ModuleRule rule = new ModuleRule(name, position, argument);
        yield new CronEntry(position, rule(entry, rule::isDue), atTick, rule::schedule, null);
      }
      case EntryTiming.Every(var period) -> PeriodicEntries.every(table, position, period, atTick);
      case EntryTiming.FixedRate(var period, var anchor) ->
          PeriodicEntries.atFixedRate(table, position, period, anchor, dueAt);
      case EntryTiming.Cron cron ->
          PeriodicEntries.at(table, position, cron.fireTimes(entry.component(), position), dueAt);
      case EntryTiming.WhenReported() -> PeriodicEntries.whenTold(table, position, dueAt);
    };
  }

  private static EntryRule rule(EntryDefinition entry, EntryRule rule) {
    return entry.work().needsTime()
        ? tick -> tick.time() instanceof AgreedTime.At && rule.isDue(tick)
        : rule;
  }

  /** The rule of an entry that counts sequences. */
  private final class SequenceTurn {
    private final ComponentId component;
    private final int position;
    private final long count;

    /**
     * Equal to the value in the page; when a snapshot replaces the page, the entry is made anew.
     */
    private long next;

    SequenceTurn(ComponentId component, int position, long count, long next) {
      this.component = component;
      this.position = position;
      this.count = count;
      this.next = next;
    }

    boolean isDue(Tick tick) {
      return tick.sequence() >= next;
    }

    void schedule(Tick tick) {
      long following = tick.sequence() + count;
      entries.nextSequence(component, position, following);
      next = following;
    }
  }

  /** The rule of an entry whose times a module decides. */
  private final class ModuleRule {
    private final String name;
    private final int position;
    private final byte[] argument;

    ModuleRule(String name, int position, byte[] argument) {
      this.name = name;
      this.position = position;
      this.argument = argument;
    }

    boolean isDue(Tick tick) {
      return module(name).isDue(seen(tick), ModuleState.readOnly(name, pages));
    }

    void schedule(Tick tick) {
      module(name).scheduleNext(seen(tick), new ModuleState(name, pages));
    }

    private CronModule.EntryTick seen(Tick tick) {
      return new CronModule.EntryTick(tick, position, argument.clone());
    }
  }

  /** Performs the work of an entry. If it throws, the table undoes all its writes. */
  private void fire(EntryDefinition entry, Tick tick, AgreedTime at) {
    int position = entry.position();
    if (entry.work() instanceof EntryWork.DecideSchedule(var schedule)) {
      // Its time is gone, whatever becomes of the rest.
      schedules.waits(schedule, position, tick.sequence());
    }
    EntryFire fired = new EntryFire(tick.sequence(), position, at);
    journal.add(entry.component(), fired);
    entries.fired(entry.component(), fired);
    FireEffects effects = new FireEffects(outbox, tick, position, at);
    switch (entry.work()) {
      case EntryWork.Outside outside -> effects.want(outside);
      case EntryWork.Prune(var keep) -> {
        if (tick.time() instanceof AgreedTime.At(var now)) {
          journal.forgetBefore(entry.component(), now.minus(keep));
        }
      }
      case EntryWork.DecideSchedule _ -> {} // whoever asks the node sees that it waits
      case EntryWork.Run(var name, var argument) ->
          module(name)
              .run(
                  new CronModule.Fire(tick, at, position, argument.clone()),
                  new ModuleState(name, pages),
                  effects);
    }
    effects.end();
  }
}
