package io.kairos.model.replay;

import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleEffects;
import io.kairos.engine.cron.module.ModuleState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A module that counts its runs and, from request {@value #FROM} of the log on, writes what its
 * subclass makes of its surroundings.
 */
abstract class ReplayTestModules implements CronModule {
  static final int FROM = 40;
  private static final int COUNT_PAGE = 0;
  private static final int OWN_PAGE = 1;

  /** Is called at every run. */
  abstract String own(ModuleState state);

  @Override
  public final String name() {
    return getClass().getSimpleName().replaceAll("(?<!^)(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  static long count(ModuleState state) {
    return state.read(COUNT_PAGE).map(bytes -> ByteBuffer.wrap(bytes).getLong()).orElse(0L);
  }

  private void run(long sequence, ModuleState state) {
    ByteBuffer count = ByteBuffer.allocate(Long.BYTES).putLong(count(state) + 1);
    state.write(COUNT_PAGE, count.array());
    String own = own(state);
    if (sequence >= FROM) {
      state.write(OWN_PAGE, own.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Override
  public final void run(Fire fire, ModuleState state, ModuleEffects effects) {
    run(fire.tick().sequence(), state);
    if (fire.argument().length > 0) {
      effects.enqueueTask("count", fire.argument(), "");
    }
  }

  /** Due at every other sequence; from the same request on, at what its surroundings say. */
  @Override
  public final boolean isDue(EntryTick at, ModuleState state) {
    long sequence = at.tick().sequence();
    boolean isTurned = sequence >= FROM && own(state).hashCode() % 2 == 0;
    return (sequence % 2 == 0) != isTurned;
  }

  @Override
  public final byte[] execute(Request request, ModuleState state) {
    run(request.sequence(), state);
    return request.body();
  }

  /** None at all. */
  public static final class Innocent extends ReplayTestModules {
    @Override
    String own(ModuleState state) {
      return "nothing";
    }
  }

  public static final class Clock extends ReplayTestModules {
    @Override
    String own(ModuleState state) {
      return "" + System.currentTimeMillis();
    }
  }

  public static final class NanoClock extends ReplayTestModules {
    @Override
    String own(ModuleState state) {
      return "" + System.nanoTime();
    }
  }

  public static final class Chance extends ReplayTestModules {
    @Override
    String own(ModuleState state) {
      return "" + Math.random();
    }
  }

  public static final class IdentityHash extends ReplayTestModules {
    @Override
    String own(ModuleState state) {
      return "" + System.identityHashCode(state);
    }
  }

  public static final class SetOrder extends ReplayTestModules {
    /** Even numbers lie in every second place of its table: so many orders as it has elements. */
    private static final Set<Integer> EVEN =
        Set.copyOf(IntStream.range(0, 100_000).mapToObj(i -> 2 * i).toList());

    @Override
    String own(ModuleState state) {
      return "" + EVEN.iterator().next();
    }
  }

  public static final class DefaultLocale extends ReplayTestModules {
    @Override
    @SuppressWarnings("StringCaseLocaleUsage") // that is the crime
    String own(ModuleState state) {
      return "TITLE".toLowerCase();
    }
  }

  public static final class DefaultFormat extends ReplayTestModules {
    @Override
    String own(ModuleState state) {
      return String.format("%.1f", 0.5);
    }
  }

  public static final class DefaultZone extends ReplayTestModules {
    @Override
    @SuppressWarnings("JavaTimeDefaultTimeZone") // that is the crime
    String own(ModuleState state) {
      return ZoneId.systemDefault().getId();
    }
  }

  public static final class DefaultCharset extends ReplayTestModules {
    @Override
    @SuppressWarnings("DefaultCharset") // that is the crime
    String own(ModuleState state) {
      return "" + "\u00fc".getBytes().length;
    }
  }

  public static final class Environment extends ReplayTestModules {
    @Override
    String own(ModuleState state) {
      return "" + System.getenv("HOSTNAME");
    }
  }

  public static final class KeptInAField extends ReplayTestModules {
    private int runs;

    @Override
    String own(ModuleState state) {
      return "" + ++runs;
    }
  }

  public static final class KeptInAStatic extends ReplayTestModules {
    private static int runs;

    @Override
    String own(ModuleState state) {
      return "" + ++runs;
    }
  }

  /** Right after a restart, and wrong when a snapshot has replaced what it has read. */
  public static final class ReadOnce extends ReplayTestModules {
    private long count;

    @Override
    String own(ModuleState state) {
      count = count == 0 ? count(state) : count + 1;
      return "" + count;
    }
  }

  public static final class ThrowsByChance extends ReplayTestModules {
    @Override
    String own(ModuleState state) {
      if (Math.random() < 0.5) {
        throw new IllegalStateException("on purpose");
      }
      return "";
    }
  }

  public static final class Assertion extends ReplayTestModules {
    @Override
    String own(ModuleState state) {
      assert count(state) < FROM / 2 : "on purpose";
      return "";
    }
  }
}
