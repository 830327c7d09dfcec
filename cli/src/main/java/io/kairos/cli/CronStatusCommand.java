package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.api.v1.Replica;
import io.kairos.cli.text.OutputOptions;
import io.kairos.cli.text.Table;
import io.kairos.client.KairosClient;
import io.kairos.client.KairosException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code kairos cron status}: each replica as it sees itself, and whether they are equal. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Asks every replica that it finds how far it is, and compares the digests of their states.",
      "Replicas are found by --address, and by what these know of the others.",
      "Exit code 1 when one differs or does not answer."
    })
final class CronStatusCommand implements Callable<Integer> {
  private static final int NOT_WELL = 1;
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** Two replicas that are asked one after the other may lie on two sides of a checkpoint. */
  private static final int MOST_ROUNDS = 3;

  private static final int SHOWN_DIGITS = 12;

  @ParentCommand @Nullable CronCommand group;
  @Mixin OutputOptions output = new OutputOptions();

  /** Those that have answered, and why others have not, by their numbers. */
  private final Map<Integer, Replica> replicas = new TreeMap<>();

  private final Map<Integer, String> silent = new TreeMap<>();

  @Override
  public Integer call() {
    look();
    for (int round = 1; round < MOST_ROUNDS && !haveOneCheckpoint(); round++) {
      look();
    }
    output.print(requireNonNull(group).out(), tree(), this::table);
    boolean isWell =
        silent.isEmpty()
            && replicas.keySet().stream().noneMatch(number -> verdict(number) == Verdict.DIFFERS);
    return isWell ? 0 : NOT_WELL;
  }

  /** Throws when none of those that are named answers. */
  private void look() {
    replicas.clear();
    silent.clear();
    KairosException failure = null;
    for (String address : requireNonNull(group).node.addresses()) {
      try {
        Replica replica = ask(address);
        replicas.put(replica.getSelf(), replica);
      } catch (KairosException e) {
        failure = e;
      }
    }
    if (replicas.isEmpty() && failure != null) {
      throw failure;
    }
    for (Replica.Peer peer : replicas.values().iterator().next().getPeersList()) {
      if (!replicas.containsKey(peer.getNumber())) {
        look(peer);
      }
    }
  }

  private void look(Replica.Peer peer) {
    if (peer.getEdgeAddress().isEmpty()) {
      silent.put(peer.getNumber(), "where it answers calls is not configured");
      return;
    }
    try {
      replicas.put(peer.getNumber(), ask(peer.getEdgeAddress()));
    } catch (KairosException e) {
      silent.put(peer.getNumber(), String.valueOf(e.getMessage()));
    }
  }

  private Replica ask(String address) {
    try (KairosClient client =
        requireNonNull(group)
            .node
            .client(List.of(address))
            .attempts(1)
            .callTimeout(PATIENCE)
            .build()) {
      return client.cron().replica();
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
    /** Nobody else has a digest of the same place. */
    NOT_COMPARED
  }

  private Verdict verdict(int number) {
    Replica.Checkpoint own = requireNonNull(replicas.get(number)).getLastCheckpoint();
    List<Replica.Checkpoint> others =
        replicas.values().stream()
            .filter(replica -> replica.getSelf() != number)
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

  private Table table() {
    Table table =
        new Table("REPLICA", "ROLE", "SEQUENCE", "AGREED TIME", "CHECKPOINT", "DIGEST", "STATE");
    Map<Integer, String> all = new TreeMap<>(silent);
    replicas.keySet().forEach(number -> all.put(number, ""));
    all.forEach((number, problem) -> {
      Replica replica = replicas.get(number);
      if (replica == null) {
        table.row(number, null, null, null, null, null, problem);
      } else {
        row(table, replica);
      }
    });
    return table;
  }

  private void row(Table table, Replica replica) {
    Replica.Checkpoint last = replica.getLastCheckpoint();
    table.row(
        replica.getSelf(),
        isLeader(replica) ? "leader" : "follower",
        replica.getSequence(),
        replica.hasAgreedTime() ? CronText.time(replica.getAgreedTime()) : null,
        last.getSequence(),
        last.getDigest().isEmpty()
            ? null
            : last.getDigest().substring(0, Math.min(SHOWN_DIGITS, last.getDigest().length())),
        Words.of(verdict(replica.getSelf())));
  }

  private static boolean isLeader(Replica replica) {
    return replica.hasLeader() && replica.getLeader() == replica.getSelf();
  }
}
