package io.kairos.cli.cron;

import static java.util.Objects.requireNonNull;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Replica;
import io.kairos.cli.command.PartCommand;
import io.kairos.cli.option.CallOptions;
import io.kairos.cli.option.CallToken;
import io.kairos.cli.option.Destination;
import io.kairos.cli.option.WatchOptions;
import io.kairos.cli.terminal.Watch;
import io.kairos.cli.text.AnswerText;
import io.kairos.cli.text.ApiMessages;
import io.kairos.cli.text.TextTable;
import io.kairos.client.KairosClient;
import io.kairos.client.error.AccessDeniedException;
import io.kairos.client.error.KairosException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kairos cron status}: shows each replica, and compares their states. */
@Command(
    name = "status",
    description = {
      "Shows how far each replica has executed the log, and compares the digests of their"
          + " states.",
      "Replicas are found by --address, and by the addresses that those replicas know; the latter"
          + " are called without a token.",
      "Exit code 1 when a replica differs or does not answer."
    })
final class CronStatusCommand extends PartCommand {
  private static final int NOT_WELL = 1;
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /**
   * A checkpoint may come between the answers of two replicas, which are called one after the
   * other.
   */
  private static final int MOST_ROUNDS = 3;

  private static final int SHOWN_DIGITS = 12;

  /** Replicas that have answered, and reasons why others have not, by their numbers. */
  private final Map<Integer, Replica> replicas = new TreeMap<>();

  private final Map<Integer, String> silent = new TreeMap<>();

  /** Why given addresses have not answered. */
  private final Map<String, KairosException> failures = new LinkedHashMap<>();

  @Mixin WatchOptions watching = new WatchOptions();

  @Override
  public Integer call() {
    Optional<Watch> watch = group().watch(watching);
    if (watch.isPresent()) {
      return watch
          .get()
          .show(
              () -> {
                compare();
                return this;
              },
              CronStatusCommand::tree,
              CronStatusCommand::table);
    }
    compare();
    group().print(tree(), this::table);
    boolean isWell =
        silent.isEmpty()
            && replicas.keySet().stream().noneMatch(number -> verdict(number) == Verdict.DIFFERS);
    return isWell ? 0 : NOT_WELL;
  }

  private void compare() {
    look();
    for (int round = 1; round < MOST_ROUNDS && !haveOneCheckpoint(); round++) {
      look();
    }
  }

  /** Throws when none of the named replicas answers. */
  private void look() {
    replicas.clear();
    silent.clear();
    failures.clear();
    CallOptions calls = group().calls();
    for (String address : calls.addresses(Destination.REPLICAS)) {
      try {
        Replica replica = ask(calls.client(Destination.REPLICAS, List.of(address)));
        replicas.put(replica.getNumber(), replica);
      } catch (KairosException e) {
        failures.put(address, e);
      }
    }
    if (replicas.isEmpty() && !failures.isEmpty()) {
      throw failures.values().iterator().next();
    }
    for (Replica.Peer peer : replicas.values().iterator().next().getPeersList()) {
      if (!replicas.containsKey(peer.getNumber())) {
        look(peer);
      }
    }
  }

  /** A replica must not choose where the token goes: addresses that it names get none. */
  private void look(Replica.Peer peer) {
    String address = peer.getEdgeAddress();
    if (address.isEmpty()) {
      silent.put(peer.getNumber(), "where it answers calls is not configured");
      return;
    }
    KairosException failure = failures.get(address);
    if (failure != null) { // it was called with the token
      silent.put(peer.getNumber(), String.valueOf(failure.getMessage()));
      return;
    }
    try {
      replicas.put(peer.getNumber(), ask(KairosClient.builder(address)));
    } catch (KairosException e) {
      silent.put(peer.getNumber(), e.getMessage() + hint(e, address));
    }
  }

  private String hint(KairosException failure, String address) {
    CallToken token = group().calls().target(Destination.REPLICAS).token();
    return failure instanceof AccessDeniedException && !(token instanceof CallToken.None)
        ? "; the token goes only to given addresses: add %s to them".formatted(address)
        : "";
  }

  private static Replica ask(KairosClient.Builder builder) {
    try (KairosClient client = builder.attempts(1).callTimeout(PATIENCE).build()) {
      return ApiMessages.read(Replica.getDefaultInstance(), client.cron().replica().message());
    }
  }

  private boolean haveOneCheckpoint() {
    return replicas.values().stream()
            .map(replica -> replica.getLastCheckpoint().getSequence())
            .distinct()
            .count()
        == 1;
  }

  private enum Verdict {
    EQUAL,
    DIFFERS,
    /** No other replica has a digest after the same number of requests. */
    NOT_COMPARED
  }

  private Verdict verdict(int number) {
    Replica.Checkpoint own = requireNonNull(replicas.get(number)).getLastCheckpoint();
    List<Replica.Checkpoint> others =
        replicas.values().stream()
            .filter(replica -> replica.getNumber() != number)
            .map(Replica::getLastCheckpoint)
            .filter(other -> other.getSequence() == own.getSequence())
            .toList();
    if (own.getSequence() == 0 || others.isEmpty()) {
      return Verdict.NOT_COMPARED;
    }
    return others.stream().allMatch(own::equals) ? Verdict.EQUAL : Verdict.DIFFERS;
  }

  private List<Map<String, Object>> tree() {
    return replicas.keySet().stream()
        .map(number -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("state", verdict(number));
          one.put("replica", requireNonNull(replicas.get(number)));
          return one;
        })
        .toList();
  }

  private TextTable<Integer> table() {
    Set<Integer> all = new TreeSet<>(silent.keySet());
    all.addAll(replicas.keySet());
    TextTable<Integer> table =
        TextTable.of(all)
            .column("REPLICA", number -> number)
            .column("ROLE", of(CronStatusCommand::role));
    if (replicas.values().stream().anyMatch(Replica::hasPeerReport)) {
      table
          .column("ROUND", of(replica -> replica.getPeerReport().getRound()))
          .column("FORKED", of(CronStatusCommand::forkers));
    }
    return table
        .column("SEQUENCE", of(Replica::getSequence))
        .column("AGREED TIME", of(CronStatusCommand::agreedTime))
        .column("CHECKPOINT", of(replica -> replica.getLastCheckpoint().getSequence()))
        .column("DIGEST", of(CronStatusCommand::digest))
        .column(
            "STATE",
            number ->
                silent.containsKey(number) ? silent.get(number) : AnswerText.of(verdict(number)));
  }

  /** Returns the cell of a column, which is empty for replicas that have not answered. */
  private Function<Integer, @Nullable Object> of(Function<Replica, @Nullable Object> cell) {
    return number -> {
      Replica replica = replicas.get(number);
      return replica == null ? null : cell.apply(replica);
    };
  }

  private static @Nullable Instant agreedTime(Replica replica) {
    return replica.hasAgreedTime() ? ProtoTime.of(replica.getAgreedTime()) : null;
  }

  private static @Nullable String digest(Replica replica) {
    String digest = replica.getLastCheckpoint().getDigest();
    return digest.isEmpty() ? null : digest.substring(0, Math.min(SHOWN_DIGITS, digest.length()));
  }

  private static String role(Replica replica) {
    if (replica.hasPeerReport()) {
      return replica.getPeerReport().getSilent() ? "silent" : "peer";
    }
    return isLeader(replica) ? "leader" : "follower";
  }

  /** The replicas of which this one knows that they have forked. */
  private static @Nullable String forkers(Replica replica) {
    List<Integer> forkers = replica.getPeerReport().getForkersList();
    return forkers.isEmpty()
        ? null
        : forkers.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private static boolean isLeader(Replica replica) {
    return replica.hasLeader() && replica.getLeader() == replica.getNumber();
  }
}
