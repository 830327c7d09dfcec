package io.kairos.engine.cron.entry;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.engine.cron.BytesIn;
import io.kairos.engine.cron.BytesOut;
import io.kairos.engine.cron.module.CronModule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command of a client to an {@link EntryBook}. */
public sealed interface BookCommand {
  /** Creates a component's table, or changes the period of its ticks. */
  record PutTable(TableSettings settings) implements BookCommand {
    public PutTable {
      requireNonNull(settings, "settings");
    }
  }

  /** Removes a component's table with its entries, journal and failures. */
  record RemoveTable(ComponentId component) implements BookCommand {
    public RemoveTable {
      requireNonNull(component, "component");
    }
  }

  /** Puts an entry into its component's table, which is created if it does not exist. */
  record PutEntry(EntryDefinition entry, Mode mode) implements BookCommand {
    /**
     * Throws {@link IllegalArgumentException} for an entry that only {@link TellSchedules} may put.
     */
    public PutEntry {
      requireNonNull(mode, "mode");
      if (entry.component().equals(EntryBook.SCHEDULES)
          || entry.when() instanceof EntryTiming.WhenReported
          || entry.work() instanceof EntryWork.DecideSchedule) {
        throw new IllegalArgumentException(
            "the entries of schedules, and all in the table of %s, are put by the replicas themselves: give the schedule the decider REPLICATED"
                .formatted(EntryBook.SCHEDULES));
      }
    }
  }

  /** The treatment of an existing entry. The numbers are stored. */
  enum Mode {
    /** The existing entry stays, and the new one is refused. */
    CREATE(1),
    /** The new entry replaces the existing one and begins anew, unless the two are equal. */
    REPLACE(2);

    private final int number;

    Mode(int number) {
      this.number = number;
    }

    private static Mode read(BytesIn in) {
      int number = in.number8();
      for (Mode mode : values()) {
        if (mode.number == number) {
          return mode;
        }
      }
      throw in.unknown("mode");
    }
  }

  /** Removes an entry. */
  record RemoveEntry(ComponentId component, int position) implements BookCommand {
    public RemoveEntry {
      requireNonNull(component, "component");
    }
  }

  /** Removes all entries of a table, which stays. */
  record RemoveAll(ComponentId component) implements BookCommand {
    public RemoveAll {
      requireNonNull(component, "component");
    }
  }

  /** A request to a module. */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record ToModule(String module, byte[] body) implements BookCommand {
    /** Throws {@link IllegalArgumentException} for a name that no module has. */
    public ToModule {
      requireNonNull(body, "body");
      require(CronModule.isName(module), "a module's name has " + CronModule.NAME_RULE);
    }
  }

  /**
   * Reports when schedules are due next, for the table of {@link EntryBook#SCHEDULES}: a schedule
   * without an entry gets one, and a schedule that is not due any more loses its entry. Submitted
   * by the replicas themselves; idempotent, and several replicas may submit it.
   */
  record TellSchedules(List<ScheduleTime> times) implements BookCommand {
    public static final int MOST = 200;

    /** Throws {@link IllegalArgumentException} for more than {@value #MOST}. */
    public TellSchedules {
      times = List.copyOf(times);
      if (times.size() > MOST) {
        throw tooMany();
      }
    }

    private static IllegalArgumentException tooMany() {
      return new IllegalArgumentException("at most " + MOST + " schedules are told at a time");
    }

    private static TellSchedules read(BytesIn in) {
      int count = in.number32();
      if (count < 0 || count > MOST) {
        throw tooMany();
      }
      List<ScheduleTime> times = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ScheduleName schedule = new ScheduleName(in.text());
        times.add(
            new ScheduleTime(schedule, in.time() instanceof AgreedTime.At(var at) ? at : null));
      }
      return new TellSchedules(times);
    }
  }

  /**
   * The next due time of a schedule.
   *
   * @param next whole milliseconds; null when it is not due until it is changed
   */
  record ScheduleTime(ScheduleName schedule, @Nullable Instant next) {
    /** Throws {@link IllegalArgumentException} for a time that no tick can have. */
    public ScheduleTime {
      requireNonNull(schedule, "schedule");
      if (next != null) {
        new AgreedTime.At(next);
      }
    }

    private AgreedTime time() {
      return next == null ? AgreedTime.OFF : new AgreedTime.At(next);
    }
  }

  /** Encodes the command as the body of a client's request. */
  default byte[] encode() {
    BytesOut out = new BytesOut().number8(BookMessageKind.VERSION);
    switch (this) {
      case PutTable(var settings) ->
          out.number8(BookMessageKind.PUT_TABLE)
              .component(settings.component())
              .duration(settings.tick());
      case RemoveTable(var component) ->
          out.number8(BookMessageKind.REMOVE_TABLE).component(component);
      case PutEntry(var entry, var mode) ->
          out.number8(BookMessageKind.PUT_ENTRY)
              .number8(mode.number)
              .bytes(EntryCodec.encode(entry));
      case RemoveEntry(var component, int position) ->
          out.number8(BookMessageKind.REMOVE_ENTRY).component(component).number32(position);
      case RemoveAll(var component) -> out.number8(BookMessageKind.REMOVE_ALL).component(component);
      case ToModule(var module, var body) ->
          out.number8(BookMessageKind.TO_MODULE).text(module).bytes(body);
      case TellSchedules(var times) -> {
        out.number8(BookMessageKind.TELL_SCHEDULES).number32(times.size());
        times.forEach(each -> out.text(each.schedule().value()).time(each.time()));
      }
    }
    return out.done();
  }

  /**
   * Decodes a command.
   *
   * @throws IllegalArgumentException with the reason for other bytes; the message is equal on every
   *     replica
   */
  static BookCommand decode(byte[] bytes) {
    BytesIn in = new BytesIn(bytes).version(BookMessageKind.VERSION);
    BookCommand command =
        switch (in.number8()) {
          case BookMessageKind.PUT_TABLE ->
              new PutTable(new TableSettings(in.component(), in.duration()));
          case BookMessageKind.REMOVE_TABLE -> new RemoveTable(in.component());
          case BookMessageKind.PUT_ENTRY -> {
            Mode mode = Mode.read(in);
            yield new PutEntry(EntryCodec.decode(in.bytes()), mode);
          }
          case BookMessageKind.REMOVE_ENTRY -> new RemoveEntry(in.component(), in.number32());
          case BookMessageKind.REMOVE_ALL -> new RemoveAll(in.component());
          case BookMessageKind.TO_MODULE -> new ToModule(in.text(), in.bytes());
          case BookMessageKind.TELL_SCHEDULES -> TellSchedules.read(in);
          default -> throw in.unknown("command");
        };
    in.end();
    return command;
  }
}
