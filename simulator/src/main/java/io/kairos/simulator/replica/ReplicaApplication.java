package io.kairos.simulator.replica;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.PeriodicEntries;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.outbox.Effect.Asking;
import io.kairos.domain.cron.outbox.EffectOutbox;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.schedule.FireTimes;
import io.kairos.domain.schedule.RuleTerms;
import io.kairos.domain.schedule.TimePattern;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.engine.cron.CronApplication;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Entries of every kind, and requests of clients that are counted. The pages keep the number of
 * runs of each entry, a hash over all runs in order, and whether the toggled entry exists.
 */
class ReplicaApplication implements CronApplication {
  static final ComponentId FAST = new ComponentId(1);
  static final ComponentId SLOW = new ComponentId(2);
  static final Duration FIXED_RATE = Duration.ofSeconds(7);
  static final Duration FIXED_DELAY = Duration.ofSeconds(5);
  static final int LIMITED_RUNS = 25;

  static final int ALWAYS = 0;
  static final int DELAYED = 10;
  static final int ANCHORED = 20;
  static final int CRON = 25;
  static final int BY_SEQUENCE = 30;
  static final int THROWING = 40;
  static final int LIMITED = 50;
  static final int TOGGLE = 60;
  static final int TOGGLED = 70;
  static final int ASKED_BY_EACH = 80;
  static final int ASKED_IN_TURN = 81;
  static final int NEVER_ASKED = 82;

  private static final int TRAIL_PAGE = 1_000;
  private static final int NEXT_SEQUENCE_PAGE = 1_001;
  private static final int TOGGLED_PAGE = 1_002;
  private static final FireTimes EVERY_MINUTE =
      new TimeRule(
              TimePattern.parse("* * * * *", CronSyntax.UNIX, "a simulation", Instant.EPOCH),
              RuleTerms.UTC)
          .fireTimes(Map.of());

  @Override
  public void build(CronTableRegistry tables, ReservedPages pages) {
    CronTable fast = tables.table(FAST);
    fast.add(new CronEntry(ALWAYS, _ -> true, tick -> count(pages, tick, ALWAYS)));
    fast.add(PeriodicEntries.every(fast, DELAYED, FIXED_DELAY, tick -> ran(pages, tick, DELAYED)));
    fast.add(
        PeriodicEntries.atFixedRate(
            fast, ANCHORED, FIXED_RATE, Instant.EPOCH, (tick, _) -> ran(pages, tick, ANCHORED)));
    fast.add(PeriodicEntries.at(fast, CRON, EVERY_MINUTE, (tick, _) -> ran(pages, tick, CRON)));
    fast.add(
        new CronEntry(
            BY_SEQUENCE,
            tick -> tick.sequence() >= read(pages, FAST, NEXT_SEQUENCE_PAGE),
            tick -> ran(pages, tick, BY_SEQUENCE),
            tick -> write(pages, FAST, NEXT_SEQUENCE_PAGE, tick.sequence() + 40),
            null));
    fast.add(
        new CronEntry(
            THROWING,
            tick -> tick.sequence() % 5 == 0,
            tick -> {
              ran(pages, tick, THROWING);
              if (tick.sequence() % 3 == 0) {
                throw new IllegalArgumentException("at " + tick.sequence() + ", on purpose");
              }
            }));
    fast.add(
        new CronEntry(
            LIMITED,
            _ -> read(pages, FAST, LIMITED) < LIMITED_RUNS,
            tick -> count(pages, tick, LIMITED)));
    fast.add(
        new CronEntry(
            TOGGLE, tick -> tick.sequence() % 97 == 0, tick -> toggle(fast, pages, tick)));
    addEffects(fast, pages, new EffectOutbox(pages));
    if (isToggled(pages)) {
      addToggled(fast, pages);
    }
    CronTable slow = tables.table(SLOW);
    slow.add(
        PeriodicEntries.every(
            slow, DELAYED, Duration.ofSeconds(11), tick -> ran(pages, tick, DELAYED)));
  }

  private void addEffects(CronTable table, ReservedPages pages, EffectOutbox outbox) {
    table.add(
        PeriodicEntries.every(
            table,
            ASKED_BY_EACH,
            Duration.ofSeconds(97),
            tick -> put(pages, outbox, tick, ASKED_BY_EACH, Asking.EACH)));
    table.add(
        PeriodicEntries.every(
            table,
            ASKED_IN_TURN,
            Duration.ofSeconds(181),
            tick -> put(pages, outbox, tick, ASKED_IN_TURN, Asking.IN_TURN)));
    table.add(
        new CronEntry(
            NEVER_ASKED,
            tick -> tick.sequence() % 601 == 0,
            tick -> {
              put(pages, outbox, tick, NEVER_ASKED, Asking.EACH);
              throw new IllegalArgumentException("at " + tick.sequence() + ", on purpose");
            }));
  }

  private void put(
      ReservedPages pages, EffectOutbox outbox, Tick tick, int position, Asking asking) {
    ran(pages, tick, position);
    long count = runs(pages, tick.component(), position);
    outbox.put(tick, position, asking, ByteBuffer.allocate(Long.BYTES).putLong(count).array());
  }

  /** True when the action of that entry decides an effect. */
  static boolean decidesAnEffect(int position) {
    return position >= ASKED_BY_EACH && position <= NEVER_ASKED;
  }

  /** True while the toggled entry is in the table. */
  boolean isToggled(ReservedPages pages) {
    return read(pages, FAST, TOGGLED_PAGE) == 1;
  }

  private void toggle(CronTable table, ReservedPages pages, Tick tick) {
    ran(pages, tick, TOGGLE);
    boolean isThere = table.remove(TOGGLED);
    write(pages, FAST, TOGGLED_PAGE, isThere ? 0 : 1);
    if (!isThere) {
      addToggled(table, pages);
    }
  }

  private void addToggled(CronTable table, ReservedPages pages) {
    table.add(
        PeriodicEntries.every(
            table, TOGGLED, Duration.ofSeconds(2), tick -> ran(pages, tick, TOGGLED)));
  }

  /** Counts a run, and adds it to the hash over all. */
  final void ran(ReservedPages pages, Tick tick, int position) {
    count(pages, tick, position);
    long hash = read(pages, FAST, TRAIL_PAGE) * 31 + tick.sequence();
    hash = hash * 31 + position + tick.component().value() * 1_000_003;
    if (tick.time() instanceof AgreedTime.At at) {
      hash = hash * 31 + at.epochMillis();
    }
    write(pages, FAST, TRAIL_PAGE, hash);
  }

  final void count(ReservedPages pages, Tick tick, int position) {
    write(pages, tick.component(), position, read(pages, tick.component(), position) + 1);
  }

  /** Number of runs of an entry. */
  static long runs(ReservedPages pages, ComponentId component, int position) {
    return read(pages, component, position);
  }

  /** A request is the number of a client, and is counted for it; the count is the reply. */
  @Override
  public byte[] execute(Request request, ReservedPages pages) {
    ComponentId client = counterOf(ByteBuffer.wrap(request.body()).getLong());
    write(pages, client, 0, read(pages, client, 0) + 1);
    return ByteBuffer.allocate(Long.BYTES).putLong(read(pages, client, 0)).array();
  }

  /** Number of executed requests of a client. */
  static long requests(ReservedPages pages, long client) {
    return read(pages, counterOf(client), 0);
  }

  private static ComponentId counterOf(long client) {
    return new ComponentId(1_000 + client);
  }

  private static PageId page(ComponentId component, int index) {
    return new PageId(PageArea.USER, component.value(), index);
  }

  static long read(ReservedPages pages, ComponentId component, int index) {
    return pages
        .read(page(component, index))
        .map(bytes -> ByteBuffer.wrap(bytes).getLong())
        .orElse(0L);
  }

  static void write(ReservedPages pages, ComponentId component, int index, long value) {
    pages.write(page(component, index), ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }
}
