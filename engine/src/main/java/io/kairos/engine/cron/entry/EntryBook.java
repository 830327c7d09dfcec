package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.engine.cron.CronApplication;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The cron tables of a replica, which clients edit by {@link BookCommand}s. Reserved pages keep the
 * entries, the number and time of their fires, and a journal of the last fires of each component;
 * the tables are built from these pages. No action changes a table. One book belongs to one
 * machine. Used, also for reads, on the log's thread only.
 *
 * <p>At most {@value #MOST_TABLES} tables, and {@value #MOST_ENTRIES} entries in all of them.
 */
public final class EntryBook implements CronApplication {
  public static final int MOST_TABLES = 256;
  public static final int MOST_ENTRIES = 100_000;

  /** The component whose table has an entry for each schedule that the replicas decide. */
  public static final ComponentId SCHEDULES = new ComponentId(0xffff_ffffL);

  private final TreeMap<String, CronModule> modules = new TreeMap<>();
  private @Nullable BookTables built;

  /**
   * Creates a book whose entries may run these modules.
   *
   * @throws IllegalArgumentException for an invalid name, and for two modules whose names or pages
   *     are the same
   */
  public EntryBook(List<CronModule> modules) {
    TreeMap<Long, String> owners = new TreeMap<>();
    for (CronModule module : modules) {
      String name = module.name();
      if (!CronModule.isName(name)) {
        throw new IllegalArgumentException(
            "a module's name has " + CronModule.NAME_RULE + ", unlike \"" + name + "\"");
      }
      String other = owners.put(ModuleState.owner(name), name);
      if (other != null) {
        throw new IllegalArgumentException(
            "the modules \"%s\" and \"%s\" would share their pages: name one of them otherwise"
                .formatted(other, name));
      }
      this.modules.put(name, module);
    }
  }

  /**
   * Builds the tables from the pages.
   *
   * @throws IllegalStateException if an entry runs a module that this book does not have
   */
  @Override
  public void build(CronTableRegistry registry, ReservedPages pages) {
    BookTables made = new BookTables(registry, pages, modules);
    made.build();
    built = made;
  }

  private BookTables built() {
    BookTables made = built;
    if (made == null) {
      throw new IllegalStateException("this book belongs to no machine");
    }
    return made;
  }

  /** Executes a {@link BookCommand} and replies with a {@link BookReply}. */
  @Override
  public byte[] execute(Request request, ReservedPages pages) {
    return reply(request, pages).encode();
  }

  private BookReply reply(Request request, ReservedPages pages) {
    BookCommand command;
    try {
      command = BookCommand.decode(request.body());
    } catch (IllegalArgumentException e) { // what clients send may be anything
      return new BookReply.Invalid(String.valueOf(e.getMessage()));
    }
    BookTables book = built();
    return switch (command) {
      case BookCommand.PutTable(var settings) -> book.putTable(settings);
      case BookCommand.RemoveTable(var component) -> book.removeTable(component);
      case BookCommand.PutEntry(var entry, var mode) -> book.putEntry(entry, mode);
      case BookCommand.RemoveEntry(var component, int position) ->
          book.removeEntry(component, position);
      case BookCommand.RemoveAll(var component) -> book.removeAll(component);
      case BookCommand.ToModule call -> callModule(call, request, pages);
      case BookCommand.TellSchedules(var times) -> book.tell(times, request.sequence());
    };
  }

  private BookReply callModule(BookCommand.ToModule call, Request request, ReservedPages pages) {
    CronModule module = modules.get(call.module());
    if (module == null) {
      return new BookReply.UnknownModule();
    }
    byte[] reply =
        module.execute(
            new CronModule.Request(request.sequence(), request.time(), call.body()),
            new ModuleState(call.module(), pages));
    if (reply.length > CronModule.LONGEST_REPLY) {
      throw new IllegalStateException(
          "module %s replies with %d bytes".formatted(call.module(), reply.length));
    }
    return new BookReply.FromModule(reply);
  }

  /** Names of the modules that entries may run, in order. */
  public List<String> modules() {
    return List.copyOf(modules.keySet());
  }

  /** All tables, in the order of components. */
  public List<TableSettings> tables() {
    return built().directory.list();
  }

  @Override
  public Map<ComponentId, Duration> ticks() {
    return tables().stream()
        .collect(Collectors.toMap(TableSettings::component, TableSettings::tick));
  }

  /** An entry with its fires so far. */
  public Optional<EntryState> find(ComponentId component, int position) {
    return built().find(component, position);
  }

  /**
   * The entries of a component after a position, in order.
   *
   * @param afterPosition -1 for all
   * @param limit most entries
   */
  public List<EntryState> entries(ComponentId component, int afterPosition, int limit) {
    return built().entries(component, afterPosition, limit);
  }

  /** A schedule that has an entry in the table of {@link #SCHEDULES}. */
  public Optional<DecidedSchedule> schedule(ScheduleName name) {
    return built().schedule(name);
  }

  /** All schedules that have such an entry, in order of name. */
  public List<ScheduleName> schedules() {
    return built().schedules.names();
  }

  /** Schedules that have fired and whose next due time is not known yet, in the order of names. */
  public List<DecidedSchedule> waitingSchedules() {
    return built().schedules.waiting();
  }

  /** True for one of the {@link #waitingSchedules}. */
  public boolean isWaiting(ScheduleName schedule) {
    return built().schedules.isWaiting(schedule);
  }

  /** The number of {@link #waitingSchedules}. */
  public int waitingScheduleCount() {
    return built().schedules.waitingCount();
  }

  /**
   * The last fires of a component's entries, latest first. Thousands are kept.
   *
   * @param limit most fires
   */
  public List<EntryFire> journal(ComponentId component, int limit) {
    return built().journal.last(component, limit);
  }
}
