package io.kairos.engine.cron.entry;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.FireAction;
import io.kairos.domain.cron.Periodic;
import io.kairos.domain.cron.Rule;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.outbox.Outbox;
import io.kairos.domain.page.ReservedPages;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleState;
import java.util.Map;
import java.util.Optional;

/**
 * Makes entries of tables from stored ones. What such an entry asks at every tick it holds itself,
 * so that a tick reads no page for entries that are not due.
 */
final class EntryMaker {
  private final ReservedPages pages;
  private final EntryPages entries;
  private final Journal journal;
  private final Outbox outbox;
  private final ScheduleEntries schedules;
  private final Map<String, CronModule> modules;

  EntryMaker(
      ReservedPages pages,
      EntryPages entries,
      Journal journal,
      ScheduleEntries schedules,
      Map<String, CronModule> modules) {
    this.pages = pages;
    this.entries = entries;
    this.journal = journal;
    this.schedules = schedules;
    this.outbox = new Outbox(pages);
    this.modules = modules;
  }

  /** The module that an entry needs and that this process does not have. */
  Optional<String> missingModule(Entry entry) {
    return entry.work() instanceof Work.Run(var name, _) && !modules.containsKey(name)
        ? Optional.of(name)
        : Optional.empty();
  }

  /**
   * Makes an entry; changes nothing.
   *
   * @param nextSequence as it is stored of the entry
   */
  CronEntry make(CronTable table, Entry entry, long nextSequence) {
    int position = entry.position();
    Fire fire = new Fire(entry.component(), position, entry.work());
    FireAction dueAt = (tick, at) -> fire.run(tick, new AgreedTime.At(at));
    return switch (entry.when()) {
      case When.EveryTick() -> new CronEntry(position, rule(entry, _ -> true), fire::atTick);
      case When.EverySequences(long count) -> {
        SequenceTurn turn = new SequenceTurn(entry.component(), position, count, nextSequence);
        yield new CronEntry(position, rule(entry, turn::isDue), fire::atTick, turn::schedule, null);
      }
      case When.Every(var period) -> Periodic.every(table, position, period, fire::atTick);
      case When.FixedRate(var period, var anchor) ->
          Periodic.atFixedRate(table, position, period, anchor, dueAt);
      case When.Cron cron ->
          Periodic.at(table, position, cron.fireTimes(entry.component(), position), dueAt);
      case When.Told() -> Periodic.whenTold(table, position, dueAt);
    };
  }

  private static Rule rule(Entry entry, Rule rule) {
    return entry.work().needsTime()
        ? tick -> tick.time() instanceof AgreedTime.At && rule.isDue(tick)
        : rule;
  }

  /** The turns of an entry that counts sequences. */
  private final class SequenceTurn {
    private final ComponentId component;
    private final int position;
    private final long count;

    /** As it is in the page; the entry is made anew when a snapshot has replaced that. */
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

  /** The action of an entry. */
  private final class Fire {
    private final ComponentId component;
    private final int position;
    private final Work work;

    Fire(ComponentId component, int position, Work work) {
      this.component = component;
      this.position = position;
      this.work = work;
    }

    void atTick(Tick tick) {
      run(tick, tick.time());
    }

    /** If this throws, the table takes back all that it wrote. */
    void run(Tick tick, AgreedTime at) {
      if (work instanceof Work.DecideSchedule(var schedule)) {
        // Its time is gone, whatever becomes of the rest.
        schedules.waits(schedule, position, tick.sequence());
      }
      Fired fired = new Fired(tick.sequence(), position, at);
      journal.add(component, fired);
      entries.fired(component, fired);
      FireWishes wishes = new FireWishes(outbox, tick, position, at);
      switch (work) {
        case Work.Outside outside -> wishes.want(outside);
        case Work.Prune prune -> prune(prune, tick.time());
        case Work.DecideSchedule _ -> {} // whoever asks the node sees that it waits
        case Work.Run(var name, var argument) ->
            requireNonNull(modules.get(name), name)
                .run(
                    new CronModule.Fire(tick, at, position, argument.clone()),
                    new ModuleState(name, pages),
                    wishes);
      }
      wishes.end();
    }

    private void prune(Work.Prune prune, AgreedTime now) {
      if (now instanceof AgreedTime.At(var instant)) {
        journal.forgetBefore(component, instant.minus(prune.keep()));
      }
    }
  }
}
