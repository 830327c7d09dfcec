package io.kairos.engine.cron.module;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.Tick;
import java.util.regex.Pattern;

/**
 * A user's own code in a replicated cron: actions of entries, and requests of clients. Found by
 * {@link java.util.ServiceLoader}; every replica has the same modules.
 *
 * <p>Called on the log's thread, which executes nothing else meanwhile, and on every replica with
 * the same arguments in the same order. What it does may depend on these and on its {@link
 * ModuleState}, and on nothing else: no clock, chance, hash order, locale, file, network or field
 * that keeps something from one call to the next. A call that throws a {@link RuntimeException} has
 * written nothing and has no effect, and the table goes on.
 */
public interface CronModule {
  /** What a name may be, for messages. */
  String NAME_RULE = "1 to 41 of small letters, digits and hyphens, the first of them a letter";

  int LONGEST_REPLY = 4_096;

  Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,40}");

  /** By which entries and clients name it: {@link #NAME_RULE}, unique in the process. */
  String name();

  /** The action of an entry whose work is to run this module. */
  void run(Fire fire, ModuleState state, ModuleEffects effects);

  /**
   * A client's request to the module; the reply is the client's, and part of the replicated state
   * until the client's next request: one of more than {@value #LONGEST_REPLY} bytes counts as
   * thrown.
   *
   * @throws UnsupportedOperationException unless the module takes requests
   */
  default byte[] execute(Ask ask, ModuleState state) {
    throw new UnsupportedOperationException("module " + name() + " takes no requests");
  }

  /**
   * Why an action runs.
   *
   * @param at the fire time that it runs for, at the tick's time or before it; off where the tick
   *     has no time, which entries that count ticks or sequences may see
   * @param position of the entry in the table of the tick's component
   * @param argument of the entry, for the module to keep
   */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record Fire(Tick tick, AgreedTime at, int position, byte[] argument) {}

  /**
   * A request in its place.
   *
   * @param sequence its place among all requests that the replicas execute
   * @param time the last agreed time
   * @param body the client's, for the module to keep
   */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record Ask(long sequence, AgreedTime time, byte[] body) {}

  /** Whether a module may have that name. */
  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }
}
