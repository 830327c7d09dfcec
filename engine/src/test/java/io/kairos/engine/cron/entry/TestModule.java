package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.pool.PushRequest;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleEffects;
import io.kairos.engine.cron.module.ModuleState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Counts its runs in page 0 and notes the last one in page 1. Its argument says what else it does;
 * so does a request, whose reply is the count. As a rule it keeps the next time of each entry in a
 * page, which it deletes when the entry is removed; page 2 counts these.
 */
record TestModule(String name) implements CronModule {
  static final TestModule COUNT = new TestModule("count");

  private static final int REMOVED_PAGE = 2;
  private static final int FIRST_OF_RULES = 1_000;

  static EntryTiming.ByModule rule(String argument) {
    return new EntryTiming.ByModule(COUNT.name, argument.getBytes(StandardCharsets.UTF_8));
  }

  static EntryWork.Run run(String argument) {
    return new EntryWork.Run(COUNT.name, argument.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void run(Fire fire, ModuleState state, ModuleEffects effects) {
    String argument = new String(fire.argument(), StandardCharsets.UTF_8);
    fire.argument()[0] = '?';
    add(state);
    String at = fire.at() instanceof AgreedTime.At time ? " at " + time.epochMillis() : "";
    state.write(1, (fire.tick().sequence() + at).getBytes(StandardCharsets.UTF_8));
    switch (argument) {
      case "count" -> {}
      case "throw" -> throw new IllegalArgumentException("on purpose");
      case "task" -> effects.enqueueTask("mail", fire.argument(), "key");
      case "message" ->
          effects.postMessage("news", new byte[0], fire.argument(), Duration.ofMinutes(2));
      case "push to pool" ->
          effects.pushToPool("billing", PushRequest.post(fire.argument()), "key");
      case "push" -> effects.push("https://example.org/a?b=c", "text/plain", fire.argument());
      case "task and throw" -> {
        effects.enqueueTask("mail", new byte[0], "");
        throw new IllegalArgumentException("on purpose");
      }
      case "two tasks" -> {
        effects.enqueueTask("mail", new byte[0], "");
        effects.enqueueTask("mail", new byte[0], "");
      }
      default -> throw new IllegalArgumentException(argument);
    }
  }

  private static String take(byte[] argument) {
    String text = new String(argument, StandardCharsets.UTF_8);
    argument[0] = '?';
    return text;
  }

  private static long now(EntryTick at) {
    return at.tick().time() instanceof AgreedTime.At time ? time.epochMillis() : 0;
  }

  @Override
  public boolean isDue(EntryTick at, ModuleState state) {
    return switch (take(at.argument())) {
      case "every two seconds", "throw in next" ->
          now(at) >= number(state, FIRST_OF_RULES + at.position());
      case "throw in rule" -> throw new IllegalArgumentException("on purpose");
      case "write in rule" -> add(state) > 0;
      default -> throw new IllegalArgumentException();
    };
  }

  @Override
  public void scheduleNext(EntryTick at, ModuleState state) {
    state.write(
        FIRST_OF_RULES + at.position(),
        ByteBuffer.allocate(Long.BYTES).putLong(now(at) + 2_000).array());
    if (take(at.argument()).equals("throw in next")) {
      throw new IllegalArgumentException("on purpose");
    }
  }

  @Override
  public void removed(ComponentId component, int position, ModuleState state) {
    if (state.delete(FIRST_OF_RULES + position)) {
      long count = number(state, REMOVED_PAGE) + 1;
      state.write(REMOVED_PAGE, ByteBuffer.allocate(Long.BYTES).putLong(count).array());
    }
  }

  /** How many entries with its rule have been removed that had fired. */
  long removed(BookRun run) {
    return number(new ModuleState(name, run.machine.pages()), REMOVED_PAGE);
  }

  @Override
  public byte[] execute(Request request, ModuleState state) {
    long count = add(state);
    if (request.body().length > 0 && request.body()[0] == '!') {
      throw new IllegalArgumentException("on purpose");
    }
    return ByteBuffer.allocate(Long.BYTES).putLong(count).array();
  }

  private static long add(ModuleState state) {
    long count = count(state) + 1;
    state.write(0, ByteBuffer.allocate(Long.BYTES).putLong(count).array());
    return count;
  }

  private static long count(ModuleState state) {
    return number(state, 0);
  }

  private static long number(ModuleState state, int page) {
    return state.read(page).map(bytes -> ByteBuffer.wrap(bytes).getLong()).orElse(0L);
  }

  /** How many runs and requests have not thrown. */
  long count(BookRun run) {
    return count(new ModuleState(name, run.machine.pages()));
  }

  String lastRun(BookRun run) {
    return new String(
        new ModuleState(name, run.machine.pages()).read(1).orElse(new byte[0]),
        StandardCharsets.UTF_8);
  }
}
