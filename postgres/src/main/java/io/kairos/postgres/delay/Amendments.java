package io.kairos.postgres.delay;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes amendments of one route in: inside the transaction of an intake batch, or in one of its
 * own. The messages are locked first, so nothing can come between looking and acting. What nobody
 * holds and no other amendment waits for is changed at once; for anything else the amendment is
 * noted and the message marked. All are noted, decided or not, so that a crash loses no outcome.
 */
final class Amendments {
  private static final Sql LOCK = Sql.load(Amendments.class, "amend_lock.sql");
  private static final Sql CANCEL = Sql.load(Amendments.class, "amend_cancel.sql");
  private static final Sql RESCHEDULE = Sql.load(Amendments.class, "amend_reschedule.sql");
  private static final Sql FLAG = Sql.load(Amendments.class, "amend_flag.sql");
  private static final Sql INSERT = Sql.load(Amendments.class, "amendment_insert.sql");

  private static final String CANCEL_KIND = "cancel";
  private static final String RESCHEDULE_KIND = "reschedule";

  private Amendments() {}

  /**
   * What became of them.
   *
   * @param decided outcomes of those that needed no holder
   * @param numbers in no particular order
   */
  record Taken(List<AmendmentOutcome> decided, List<Long> numbers) {
    static final Taken NONE = new Taken(List.of(), List.of());
  }

  /**
   * Applies and notes.
   *
   * @param decider who tells the outcomes; null when callers ask for them
   */
  static Taken take(
      Connection connection, RouteId route, @Nullable NodeId decider, List<AmendRequest> requests)
      throws SQLException {
    if (requests.isEmpty()) {
      return Taken.NONE;
    }
    Map<String, Standing> standings = lock(connection, route, requests);
    List<AmendRequest> cancels = new ArrayList<>();
    List<AmendRequest> reschedules = new ArrayList<>();
    List<AmendRequest> forTheHolder = new ArrayList<>();
    List<AmendmentOutcome> decided = new ArrayList<>();
    @Nullable AmendmentOutcome[] outcomes = new AmendmentOutcome[requests.size()];
    for (int i = 0; i < outcomes.length; i++) {
      AmendRequest request = requests.get(i);
      AmendmentOutcome outcome =
          switch (standings.getOrDefault(request.id().value(), Standing.UNKNOWN)) {
            case UNKNOWN -> AmendmentOutcome.UNKNOWN_ID;
            case FREE -> AmendmentOutcome.APPLIED;
            case MAYBE_FIRED -> AmendmentOutcome.TOO_LATE;
            case FOR_THE_HOLDER -> null;
          };
      outcomes[i] = outcome;
      if (outcome == null) {
        forTheHolder.add(request);
      } else {
        decided.add(outcome);
      }
      if (outcome == AmendmentOutcome.APPLIED) {
        switch (request.amendment()) {
          case Amendment.Cancel _ -> cancels.add(request);
          case Amendment.Reschedule _ -> reschedules.add(request);
        }
      }
    }
    changeIds(CANCEL, connection, route, cancels);
    reschedule(connection, route, reschedules);
    changeIds(FLAG, connection, route, forTheHolder);
    return new Taken(decided, insert(connection, route, decider, requests, outcomes));
  }

  /** What stands in the way of an amendment. */
  private enum Standing {
    UNKNOWN,
    FREE,
    MAYBE_FIRED,
    FOR_THE_HOLDER
  }

  private static Map<String, Standing> lock(
      Connection connection, RouteId route, List<AmendRequest> requests) throws SQLException {
    Map<String, Standing> standings = HashMap.newHashMap(requests.size());
    try (Call call = LOCK.on(connection).with("route", route.value()).with("ids", ids(requests));
        ResultSet found = call.query()) {
      while (found.next()) {
        standings.put(Columns.text(found, 1), standing(found.getBoolean(2), found.getBoolean(3)));
      }
    }
    return standings;
  }

  private static Standing standing(boolean isFree, boolean maybeFired) {
    if (!isFree) {
      return Standing.FOR_THE_HOLDER;
    }
    return maybeFired ? Standing.MAYBE_FIRED : Standing.FREE;
  }

  private static BinaryArray ids(List<AmendRequest> requests) {
    return Ids.of(requests, AmendRequest::id);
  }

  private static void changeIds(
      Sql sql, Connection connection, RouteId route, List<AmendRequest> requests)
      throws SQLException {
    if (!requests.isEmpty()) {
      try (Call call = sql.on(connection).with("route", route.value()).with("ids", ids(requests))) {
        call.update();
      }
    }
  }

  private static void reschedule(Connection connection, RouteId route, List<AmendRequest> requests)
      throws SQLException {
    try (Call call = RESCHEDULE.on(connection)) {
      for (AmendRequest request : requests) {
        call.with("route", route.value())
            .with("id", request.id().value())
            .with("due", dueMicros(request.amendment()))
            .addToBatch();
      }
      call.runBatch();
    }
  }

  private static List<Long> insert(
      Connection connection,
      RouteId route,
      @Nullable NodeId decider,
      List<AmendRequest> requests,
      @Nullable AmendmentOutcome[] outcomes)
      throws SQLException {
    int n = requests.size();
    byte[][] kinds = new byte[n][];
    long[] dues = new long[n];
    boolean[] withoutDue = new boolean[n];
    int[] partitions = new int[n];
    long[] offsets = new long[n];
    boolean[] withoutReply = new boolean[n];
    byte[] @Nullable [] keys = new byte[n][];
    byte[] @Nullable [] outcomeNames = new byte[n][];
    for (int i = 0; i < n; i++) {
      AmendRequest request = requests.get(i);
      kinds[i] = utf8(kind(request.amendment()));
      dues[i] = dueMicros(request.amendment());
      withoutDue[i] = request.amendment() instanceof Amendment.Cancel;
      switch (request.replyTo()) {
        case ReplyTo.Caller _ -> withoutReply[i] = true;
        case ReplyTo.ResultsTopic(int partition, long offset, byte[] key) -> {
          partitions[i] = partition;
          offsets[i] = offset;
          keys[i] = key;
        }
      }
      AmendmentOutcome outcome = outcomes[i];
      outcomeNames[i] = outcome == null ? null : utf8(outcome.name());
    }
    List<Long> numbers = new ArrayList<>(n);
    try (Call call =
            INSERT
                .on(connection)
                .with("route", route.value())
                .with("decided_by", decider == null ? null : decider.value())
                .with("ids", ids(requests))
                .with("kinds", BinaryArray.texts(kinds))
                .with("dues", BinaryArray.longs(dues, withoutDue))
                .with("reply_partitions", BinaryArray.ints(partitions, withoutReply))
                .with("reply_offsets", BinaryArray.longs(offsets, withoutReply))
                .with("reply_keys", BinaryArray.bytes(keys))
                .with("outcomes", BinaryArray.texts(outcomeNames));
        ResultSet inserted = call.query()) {
      while (inserted.next()) {
        numbers.add(inserted.getLong(1));
      }
    }
    return numbers;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String kind(Amendment amendment) {
    return switch (amendment) {
      case Amendment.Cancel _ -> CANCEL_KIND;
      case Amendment.Reschedule _ -> RESCHEDULE_KIND;
    };
  }

  private static long dueMicros(Amendment amendment) {
    return switch (amendment) {
      case Amendment.Cancel _ -> 0;
      case Amendment.Reschedule(long due) -> due;
    };
  }

  /** The amendment that a row's {@code kind} and {@code due_micros} stand for. */
  static Amendment amendment(String kind, long dueMicros) {
    return switch (kind) {
      case CANCEL_KIND -> new Amendment.Cancel();
      case RESCHEDULE_KIND -> new Amendment.Reschedule(dueMicros);
      default -> throw new IllegalStateException("unknown kind of amendment: " + kind);
    };
  }
}
