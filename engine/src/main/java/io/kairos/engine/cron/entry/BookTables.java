package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.outbox.EffectOutbox;
import io.kairos.domain.cron.round.TickRounds;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.engine.cron.module.CronModule;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The tables of a machine with their pages. A change writes the pages first, which may have no
 * room, and then the tables, which cannot fail.
 */
final class BookTables {
  private final CronTableRegistry tables;
  private final ReservedPages pages;
  final TableDirectory directory;
  private final EntryPages entries;
  final FireJournal journal;
  final ScheduleEntries schedules = new ScheduleEntries();
  private final EntryMaker maker;

  BookTables(CronTableRegistry tables, ReservedPages pages, Map<String, CronModule> modules) {
    this.tables = tables;
    this.pages = pages;
    this.directory = new TableDirectory(pages);
    this.entries = new EntryPages(pages);
    this.journal = new FireJournal(pages);
    this.maker =
        new EntryMaker(pages, entries, journal, schedules, new EffectOutbox(pages), modules);
  }

  /**
   * Builds all tables and entries from the pages.
   *
   * @throws IllegalStateException if an entry needs a module that this process does not have
   */
  void build() {
    for (TableSettings settings : directory.list()) {
      CronTable table = tables.table(settings.component());
      for (int position : entries.positions(table.component())) {
        EntryPages.Stored stored = entries.find(table.component(), position).orElseThrow();
        maker
            .missingModule(stored.entry())
            .ifPresent(module -> {
              throw new IllegalStateException(
                  "position %d of %s needs the module \"%s\", which this replica does not have: start it with the modules of the others"
                      .formatted(position, table.component(), module));
            });
        table.add(maker.make(table, stored.entry(), stored.nextSequence()));
        boolean isTold = table.nextFire(position).isPresent();
        schedule(stored.entry()).ifPresent(schedule -> schedules.found(schedule, position, isTold));
      }
    }
  }

  BookReply putTable(TableSettings settings) {
    if (!hasTableFor(settings.component()) || !fits(() -> directory.put(settings))) {
      return new BookReply.Full();
    }
    tables.table(settings.component());
    return new BookReply.Done();
  }

  BookReply removeTable(ComponentId component) {
    return tables
        .find(component)
        .<BookReply>map(table -> {
          int count = removeEntries(table);
          journal.forgetAll(component);
          directory.remove(component);
          table.forgetFailures();
          TickRounds.forget(component, pages);
          tables.disassociate(component);
          return new BookReply.Removed(count);
        })
        .orElse(new BookReply.NotFound());
  }

  BookReply putEntry(EntryDefinition entry, BookCommand.Mode mode) {
    boolean isThere =
        tables.find(entry.component()).flatMap(table -> table.find(entry.position())).isPresent();
    if (maker.missingModule(entry).isPresent()) {
      return new BookReply.UnknownModule();
    }
    if (isThere && mode == BookCommand.Mode.CREATE) {
      return new BookReply.PositionInUse();
    }
    if (isThere && entries.has(entry)) { // asked for again, or the same by chance: it goes on
      return new BookReply.Done();
    }
    return (isThere || hasRoomFor(entry)) && tryPut(entry)
        ? new BookReply.Done()
        : new BookReply.Full();
  }

  /** True if there is room for another entry in its table, and for the table. */
  private boolean hasRoomFor(EntryDefinition entry) {
    return hasTableFor(entry.component()) && tables.entryCount() < EntryBook.MOST_ENTRIES;
  }

  /** Puts an entry in place of any existing one; returns false if the pages have no room. */
  private boolean tryPut(EntryDefinition entry) {
    ComponentId component = entry.component();
    boolean hasTable = tables.find(component).isPresent();
    if (!fits(() -> put(entry, hasTable))) {
      return false;
    }
    CronTable table = tables.table(component);
    table.replace(maker.make(table, entry, 0));
    return true;
  }

  /**
   * Applies the reported due times. A schedule without room for an entry waits for the next report.
   */
  BookReply tell(List<BookCommand.ScheduleTime> times, long sequence) {
    TreeMap<Integer, Instant> told = new TreeMap<>();
    boolean isFull = false;
    for (BookCommand.ScheduleTime each : times) {
      ScheduleName schedule = each.schedule();
      OptionalInt known = schedules.position(schedule);
      int position = known.orElseGet(schedules::firstFree);
      if (each.next() == null) {
        if (known.isPresent()) {
          removeEntry(EntryBook.SCHEDULES, position);
          told.remove(position);
        }
      } else if (known.isPresent() || tryPut(schedule, position)) {
        schedules.told(schedule, position, sequence);
        told.put(position, each.next());
      } else {
        isFull = true;
      }
    }
    tables.find(EntryBook.SCHEDULES).ifPresent(table -> table.tell(told));
    return isFull ? new BookReply.Full() : new BookReply.Done();
  }

  private boolean tryPut(ScheduleName schedule, int position) {
    if (position > EntryDefinition.LAST_POSITION) {
      return false;
    }
    EntryDefinition entry =
        new EntryDefinition(
            EntryBook.SCHEDULES,
            position,
            "",
            new EntryTiming.WhenReported(),
            new EntryWork.DecideSchedule(schedule));
    return hasRoomFor(entry) && tryPut(entry);
  }

  private void put(EntryDefinition entry, boolean hasTable) {
    if (!hasTable) {
      directory.put(new TableSettings(entry.component()));
    }
    entries.put(entry);
  }

  private boolean hasTableFor(ComponentId component) {
    return tables.find(component).isPresent() || tables.count() < EntryBook.MOST_TABLES;
  }

  /** Runs the writes and returns true, or undoes them and returns false if there is no room. */
  private boolean fits(Runnable writes) {
    try {
      pages.undoIfItThrows(writes);
      return true;
    } catch (IllegalStateException e) { // no room for that
      return false;
    }
  }

  BookReply removeEntry(ComponentId component, int position) {
    boolean isRemoved = tables.find(component).map(table -> table.remove(position)).orElse(false);
    if (!isRemoved) {
      return new BookReply.NotFound();
    }
    forget(component, position);
    return new BookReply.Done();
  }

  BookReply removeAll(ComponentId component) {
    return tables
        .find(component)
        .<BookReply>map(table -> new BookReply.Removed(removeEntries(table)))
        .orElse(new BookReply.NotFound());
  }

  private int removeEntries(CronTable table) {
    ComponentId component = table.component();
    entries.positions(component).forEach(position -> forget(component, position));
    table.forgetSchedule(); // else each entry would write the page that it shares with others
    return table.removeAll();
  }

  private void forget(ComponentId component, int position) {
    if (component.equals(EntryBook.SCHEDULES)) {
      entries
          .find(component, position)
          .flatMap(stored -> schedule(stored.entry()))
          .ifPresent(schedules::removed);
    }
    entries.remove(component, position);
  }

  private static Optional<ScheduleName> schedule(EntryDefinition entry) {
    return entry.work() instanceof EntryWork.DecideSchedule(var schedule)
        ? Optional.of(schedule)
        : Optional.empty();
  }

  Optional<EntryState> find(ComponentId component, int position) {
    return tables
        .find(component)
        .filter(table -> table.find(position).isPresent())
        .flatMap(table -> entries.find(component, position).map(stored -> state(table, stored)));
  }

  private static EntryState state(CronTable table, EntryPages.Stored stored) {
    EntryDefinition entry = stored.entry();
    NextFire next =
        switch (entry.when()) {
          case EntryTiming.EveryTick _ -> new NextFire.NextTick();
          case EntryTiming.ByModule _ -> new NextFire.NotKnown();
          case EntryTiming.EverySequences _ -> new NextFire.AtSequence(stored.nextSequence());
          case EntryTiming.Every _,
              EntryTiming.FixedRate _,
              EntryTiming.Cron _,
              EntryTiming.WhenReported _ ->
              table
                  .nextFire(entry.position())
                  .<NextFire>map(NextFire.At::new)
                  .orElse(new NextFire.NotKnown());
        };
    return new EntryState(entry, stored.fires(), stored.last(), next);
  }

  List<EntryState> entries(ComponentId component, int afterPosition, int limit) {
    return entries.positions(component).stream()
        .filter(position -> position > afterPosition)
        .limit(limit)
        .flatMap(position -> find(component, position).stream())
        .toList();
  }

  Optional<DecidedSchedule> schedule(ScheduleName name) {
    return tables.find(EntryBook.SCHEDULES).flatMap(table -> schedules.find(table, name));
  }
}
