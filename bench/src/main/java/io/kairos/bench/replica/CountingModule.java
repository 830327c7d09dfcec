package io.kairos.bench.replica;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.page.ReservedPages;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.EntryDefinition;
import io.kairos.engine.cron.entry.EntryTiming;
import io.kairos.engine.cron.entry.EntryWork;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleEffects;
import io.kairos.engine.cron.module.ModuleState;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * A module that counts requests of clients, as {@link CounterMachine} does, and fires of entries.
 * The entries of the bench run it.
 */
final class CountingModule implements CronModule {
  /** Component of the only table. */
  static final ComponentId COMPONENT = new ComponentId(1);

  /** Length of an entry's argument: that of a short definition. */
  static final int ARGUMENT_BYTES = 64;

  private static final String NAME = "counting";
  private static final int REQUESTS = 0;
  private static final int FIRES = 1;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void run(Fire fire, ModuleState state, ModuleEffects effects) {
    increment(state, FIRES);
  }

  @Override
  public byte[] execute(Request request, ModuleState state) {
    return increment(state, REQUESTS);
  }

  /** A request that is counted. */
  static BookCommand request() {
    return new BookCommand.ToModule(NAME, new byte[0]);
  }

  /** Puts an entry that runs this module. */
  static BookCommand put(int position, Duration period) {
    EntryWork work = new EntryWork.Run(NAME, new byte[ARGUMENT_BYTES]);
    return new BookCommand.PutEntry(
        new EntryDefinition(
            COMPONENT, position, "entry " + position, new EntryTiming.Every(period), work),
        BookCommand.Mode.CREATE);
  }

  /** Requests that were counted. */
  static long requests(ReservedPages pages) {
    return read(new ModuleState(NAME, pages), REQUESTS);
  }

  /** Fires that were counted. */
  static long fires(ReservedPages pages) {
    return read(new ModuleState(NAME, pages), FIRES);
  }

  private static byte[] increment(ModuleState state, int page) {
    byte[] count = ByteBuffer.allocate(Long.BYTES).putLong(read(state, page) + 1).array();
    state.write(page, count);
    return count;
  }

  private static long read(ModuleState state, int page) {
    return state.read(page).map(content -> ByteBuffer.wrap(content).getLong()).orElse(0L);
  }
}
