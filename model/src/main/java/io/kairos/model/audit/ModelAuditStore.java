package io.kairos.model.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.audit.AuditRecord;
import io.kairos.engine.audit.AuditSearch;
import io.kairos.engine.audit.AuditStore;
import io.kairos.engine.audit.AuditedCall;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The audit log in memory, on a given clock. Thread-safe. */
public class ModelAuditStore implements AuditStore {
  private static final Comparator<AuditRecord> NEWEST_FIRST =
      Comparator.comparing(AuditRecord::at).thenComparingLong(AuditRecord::number).reversed();

  private final InstantSource clock;

  @GuardedBy("this")
  private final TreeMap<Long, AuditRecord> entries = new TreeMap<>();

  @GuardedBy("this")
  private long last;

  public ModelAuditStore(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public synchronized List<Long> write(List<NewEntry> begun, List<EndedCall> ended) {
    for (EndedCall end : ended) {
      AuditRecord entry = entries.get(end.number());
      if (entry != null && entry.outcome().equals(AuditRecord.BEGUN)) {
        put(new AuditRecord(entry.number(), entry.at(), entry.call(), end.outcome(), entry.more()));
      }
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    List<Long> numbers = new ArrayList<>();
    for (NewEntry one : begun) {
      last++;
      put(new AuditRecord(last, now, one.call(), one.outcome(), one.more()));
      numbers.add(last);
    }
    return numbers;
  }

  @GuardedBy("this")
  private void put(AuditRecord entry) {
    entries.put(entry.number(), entry);
  }

  @Override
  public synchronized List<AuditRecord> list(AuditSearch query) {
    return entries.values().stream()
        .filter(entry -> matches(entry, query))
        .sorted(NEWEST_FIRST)
        .limit(query.limit())
        .toList();
  }

  private static boolean matches(AuditRecord entry, AuditSearch query) {
    AuditedCall call = entry.call();
    Instant from = query.from();
    Instant to = query.to();
    AuditSearch.Place before = query.before();
    return isAsked(query.caller(), call.caller())
        && isAsked(query.action(), call.action())
        && isAsked(query.kind(), call.kind())
        && isAsked(query.object(), call.object())
        && isAsked(query.outcome(), entry.outcome())
        && (from == null || !entry.at().isBefore(from))
        && (to == null || entry.at().isBefore(to))
        && (before == null
            || entry.at().isBefore(before.at())
            || (entry.at().equals(before.at()) && entry.number() < before.number()));
  }

  private static boolean isAsked(@Nullable String asked, @Nullable String given) {
    return asked == null || asked.equals(given);
  }

  @Override
  public synchronized int undecided(Duration endedWithin, Duration lookedBack, int limit) {
    Instant now = clock.instant();
    return (int)
        entries.values().stream()
            .filter(entry -> !entry.at().isAfter(now.minus(endedWithin)))
            .filter(entry -> !entry.at().isBefore(now.minus(lookedBack)))
            .sorted(NEWEST_FIRST)
            .limit(limit)
            .filter(entry -> entry.outcome().equals(AuditRecord.BEGUN))
            .count();
  }

  @Override
  public synchronized int prune(Duration retention, int limit) {
    Instant keptFrom = clock.instant().minus(retention);
    List<Long> old =
        entries.values().stream()
            .filter(entry -> entry.at().isBefore(keptFrom))
            .sorted(NEWEST_FIRST.reversed())
            .limit(limit)
            .map(AuditRecord::number)
            .toList();
    old.forEach(entries::remove);
    return old.size();
  }
}
