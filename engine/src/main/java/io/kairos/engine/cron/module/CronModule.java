package io.kairos.engine.cron.module;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.Tick;
import java.util.regex.Pattern;

/**
 * A user's own code in a replicated cron: actions of entries, their rules, and requests of clients.
 * Found by {@link java.util.ServiceLoader}; every replica has the same modules.
 *
 * <p>Called on the log's thread, which executes nothing else meanwhile, and on every replica with
 * equal arguments in one order. The result may depend on the arguments and on the module's {@link
 * ModuleState} only: not on a clock, random numbers, hash order, locale, files, the network or
 * fields that keep values between calls. A call that throws a {@link RuntimeException} has written
 * nothing and has no effect, and the table goes on.
 */
public interface CronModule {
  /** The rule for names of modules, for messages. */
  String NAME_RULE = "1 to 41 of small letters, digits and hyphens, the first of them a letter";

  int LONGEST_REPLY = 4_096;

  Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,40}");

  /**
   * The name by which entries and clients address the module, by {@link #NAME_RULE}; unique in the
   * process.
   */
  String name();

  /** The action of an entry whose work is to run this module. */
  void run(Fire fire, ModuleState state, ModuleEffects effects);

  /**
   * The rule of an entry whose times this module decides: true when the entry is due at this tick.
   * Asked at every tick of the table, so it should be quick. It reads the state; a write throws.
   *
   * @throws UnsupportedOperationException unless the module decides times
   */
  default boolean isDue(EntryTick at, ModuleState state) {
    throw new UnsupportedOperationException("module " + name() + " decides no times");
  }

  /**
   * Notes in the state when such an entry is due next. Called once for a due entry, before its
   * action, which is left out when this throws.
   */
  default void scheduleNext(EntryTick at, ModuleState state) {}

  /**
   * Deletes what the module keeps for an entry, which was removed or replaced and whose times or
   * action were this module's. Called once, also if both were. Not called when a table is built
   * anew at a start or from a snapshot.
   */
  default void removed(ComponentId component, int position, ModuleState state) {}

  /**
   * Executes a client's request. The reply goes to the client, and is part of the replicated state
   * until the client's next request. A reply of more than {@value #LONGEST_REPLY} bytes counts as a
   * failure.
   *
   * @throws UnsupportedOperationException unless the module takes requests
   */
  default byte[] execute(Request request, ModuleState state) {
    throw new UnsupportedOperationException("module " + name() + " takes no requests");
  }

  /**
   * One fire of an entry.
   *
   * @param at the fire time, not after the tick's time; off where the tick has no time, which only
   *     entries that count ticks or sequences can see
   * @param position of the entry in the table of the tick's component
   * @param argument of the entry; the module may keep the array
   */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record Fire(Tick tick, AgreedTime at, int position, byte[] argument) {}

  /**
   * A tick of a table as one of its entries sees it.
   *
   * @param argument of the entry's rule; the module may keep the array
   */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record EntryTick(Tick tick, int position, byte[] argument) {}

  /**
   * A client's request at its place in the order.
   *
   * @param sequence its place among all requests that the replicas execute
   * @param time the last agreed time
   * @param body from the client; the module may keep the array
   */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record Request(long sequence, AgreedTime time, byte[] body) {}

  /** True if a module may have that name. */
  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }
}
