package io.kairos.examples.lease;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.engine.cron.module.CronModule;
import io.kairos.engine.cron.module.ModuleEffects;
import io.kairos.engine.cron.module.ModuleState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Leases by name. Requests and replies are words:
 *
 * <pre>
 * take NAME HOLDER SECONDS    takes a free lease, or extends one's own
 * free NAME HOLDER            gives the lease back
 * show NAME
 * </pre>
 *
 * The reply is {@code held by HOLDER until TIME fence NUMBER}, {@code free}, or {@code refused} for
 * an invalid request. A lease lapses by agreed time. An entry that runs the module removes lapsed
 * leases, at most {@value #MOST_LAPSED} at a time, and enqueues a task that names them, for the
 * handler in the entry's argument.
 */
public final class LeaseModule implements CronModule {
  /** Bound on lapsed leases in one run, so that their names fit into one task. */
  private static final int MOST_LAPSED = 20;

  private static final String WORD = " [a-z0-9._-]{1,64}";
  private static final Pattern REQUEST =
      Pattern.compile(
          "take" + WORD + WORD + " [1-9][0-9]{0,4}|free" + WORD + WORD + "|show" + WORD);

  @Override
  public String name() {
    return "leases";
  }

  @Override
  public void run(Fire fire, ModuleState state, ModuleEffects effects) {
    if (fire.tick().time() instanceof AgreedTime.At(Instant now)) {
      List<Lease> lapsed = new LeaseTable(state).removeLapsed(now, MOST_LAPSED);
      if (!lapsed.isEmpty() && fire.argument().length > 0) {
        String names = lapsed.stream().map(Lease::name).collect(Collectors.joining("\n"));
        effects.enqueueTask(new String(fire.argument(), UTF_8), names.getBytes(UTF_8), "");
      }
    }
  }

  @Override
  public byte[] execute(Request request, ModuleState state) {
    String reply =
        request.time() instanceof AgreedTime.At(Instant now)
            ? reply(
                new String(request.body(), UTF_8), request.sequence(), now, new LeaseTable(state))
            : "refused";
    return reply.getBytes(UTF_8);
  }

  private static String reply(String request, long sequence, Instant now, LeaseTable leases) {
    if (!REQUEST.matcher(request).matches()) {
      return "refused";
    }
    String[] words = request.split(" ", -1);
    String name = words[1];
    Optional<Lease> before = leases.find(name).filter(lease -> lease.isLiveAt(now));
    return switch (words[0]) {
      case "take" -> {
        Instant until = now.plusSeconds(Long.parseLong(words[3]));
        yield take(new Lease(name, words[2], sequence, until), before, leases);
      }
      case "free" -> free(words[2], before, leases);
      default -> show(before);
    };
  }

  private static String take(Lease wanted, Optional<Lease> before, LeaseTable leases) {
    if (before.isPresent() && !before.get().holder().equals(wanted.holder())) {
      return show(before);
    }
    long fence = before.map(Lease::fence).orElse(wanted.fence());
    Lease taken = new Lease(wanted.name(), wanted.holder(), fence, wanted.until());
    leases.put(taken);
    return show(Optional.of(taken));
  }

  private static String free(String holder, Optional<Lease> before, LeaseTable leases) {
    if (before.isPresent() && !before.get().holder().equals(holder)) {
      return show(before);
    }
    before.ifPresent(lease -> leases.remove(lease.name()));
    return "free";
  }

  private static String show(Optional<Lease> lease) {
    return lease
        .map(held ->
            "held by " + held.holder() + " until " + held.until() + " fence " + held.fence())
        .orElse("free");
  }
}
