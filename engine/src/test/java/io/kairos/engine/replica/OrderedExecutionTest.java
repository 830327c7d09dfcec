package io.kairos.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.OrderedExecution.Checkpoint;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OrderedExecutionTest {
  private static final ReplicaGroup THREE = new ReplicaGroup(3, Faults.CRASH);
  private static final byte[] OTHER = sha256(new byte[] {1, 2, 3});

  private final Concatenation machine = new Concatenation();
  private final OrderedExecution execution =
      new OrderedExecution(machine, new OrderedExecution.Config(3, 2), THREE);

  /** Appends every command; the reply is the whole. */
  private static final class Concatenation implements StateMachine {
    private String text = "";

    @Override
    public byte[] execute(OrderedRequest request) {
      text += request.sequence() + new String(request.command(), StandardCharsets.UTF_8);
      return snapshot();
    }

    @Override
    public byte[] snapshot() {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void restore(byte[] snapshot) {
      text = new String(snapshot, StandardCharsets.UTF_8);
    }

    @Override
    public byte[] digest() {
      return snapshot();
    }
  }

  private static byte[] sha256(byte[] of) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(of);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String execute(
      OrderedExecution execution, long client, long request, String command) {
    return switch (execution.execute(
        new RequestOrigin(new ClientId(client), request, null),
        command.getBytes(StandardCharsets.UTF_8))) {
      case SubmissionResult.Done(long sequence, byte[] reply) ->
          sequence + " " + new String(reply, StandardCharsets.UTF_8);
      case SubmissionResult.Stale(long last) -> "stale " + last;
      case SubmissionResult.Refused(String reason) -> reason;
      case SubmissionResult.Unknown(String reason) -> reason;
    };
  }

  private String execute(long client, long request, String command) {
    return execute(execution, client, request, command);
  }

  @Test
  void requests_are_numbered_without_gaps_and_executed_once() {
    assertThat(execute(1, 1, "a")).isEqualTo("1 1a");
    assertThat(execute(2, 1, "b")).isEqualTo("2 1a2b");
    assertThat(execute(1, 1, "a")).isEqualTo("1 1a");
    assertThat(execute(1, 7, "c")).isEqualTo("3 1a2b3c");
    assertThat(execute(1, 6, "d")).isEqualTo("stale 7");

    assertThat(execution.sequence()).isEqualTo(3);
    assertThat(execution.lastRequest(new ClientId(1))).isEqualTo(7);
    assertThat(execution.lastRequest(new ClientId(9))).isZero();
    assertThat(execution.answer(new ClientId(2), 1)).isPresent();
    assertThat(execution.answer(new ClientId(2), 2)).isEmpty();
  }

  @Test
  void of_too_many_clients_the_one_that_was_quiet_longest_is_forgotten() {
    execute(1, 1, "a");
    execute(2, 1, "b");
    execute(3, 1, "c");
    execute(1, 2, "d");
    execute(4, 1, "e");

    assertThat(execution.lastRequest(new ClientId(2))).isZero();
    assertThat(execution.lastRequest(new ClientId(1))).isEqualTo(2);
    assertThat(execution.lastRequest(new ClientId(3))).isEqualTo(1);
  }

  @Test
  void cc30_a_snapshot_has_sequence_clients_and_state() {
    execute(1, 1, "a");
    execute(2, 5, "b");
    OrderedExecution other =
        new OrderedExecution(new Concatenation(), new OrderedExecution.Config(3, 2), THREE);
    execute(other, 8, 8, "x");

    other.restore(execution.snapshot());

    assertThat(other.digest()).isEqualTo(execution.digest());
    assertThat(other.sequence()).isEqualTo(2);
    assertThat(other.lastRequest(new ClientId(8))).isZero();
    assertThat(execute(other, 2, 5, "b")).isEqualTo("2 1a2b");
    assertThat(execute(other, 2, 6, "c")).isEqualTo("3 1a2b3c");
  }

  @Test
  void digests_are_kept_every_so_many_requests_and_are_bounded() {
    List<byte[]> digests = new ArrayList<>();
    for (int request = 1; request <= 200; request++) {
      execute(1, request, "a");
      execution.digestAt(request).ifPresent(digests::add);
    }

    assertThat(digests).hasSize(100);
    assertThat(execution.digestAt(199)).isEmpty();
    assertThat(execution.digestAt(200)).isPresent();
    assertThat(execution.digestAt(2)).isEmpty();
  }

  @Test
  void digests_differ_when_states_do() {
    OrderedExecution other =
        new OrderedExecution(new Concatenation(), new OrderedExecution.Config(3, 2), THREE);
    execute(1, 1, "a");
    execute(other, 1, 2, "a");

    assertThat(other.digest()).isNotEqualTo(execution.digest());
  }

  private void vote(int replica, long sequence, byte[] digest) {
    say(replica, sequence, DigestBallot.encode(List.of(new Checkpoint(sequence, digest))));
  }

  private void say(int replica, long request, byte[] ballot) {
    ReplicaId from = new ReplicaId(replica);
    execution.execute(new RequestOrigin(ClientId.ofVotes(from), request, from), ballot);
  }

  @Test
  void r12_a_vote_takes_its_place_and_reaches_no_machine() {
    execute(1, 1, "a");
    execute(1, 2, "b");
    byte[] own = execution.checkpoints(0).getLast().digest();

    vote(0, 2, own);
    assertThat(execution.agreed()).isZero();
    vote(2, 2, own);

    assertThat(execution.agreed()).isEqualTo(2);
    assertThat(execution.sequence()).isEqualTo(4);
    assertThat(machine.text).isEqualTo("1a2b");
  }

  @Test
  void the_votes_say_how_far_each_replica_is_and_where_its_state_parted() {
    for (int request = 1; request <= 6; request++) {
      execute(1, request, "a");
    }
    List<Checkpoint> own = execution.checkpoints(0);

    say(0, 6, DigestBallot.encode(own));
    say(2, 4, DigestBallot.encode(List.of(own.get(0), new Checkpoint(4, OTHER))));

    List<PeerVotes> known = execution.votes();
    assertThat(known).extracting(PeerVotes::from).containsExactlyElementsOf(THREE.replicas());
    assertThat(known.get(0).last().orElseThrow().sequence()).isEqualTo(6);
    assertThat(known.get(0).partedAt()).isEmpty();
    assertThat(known.get(1).last()).isEmpty();
    assertThat(known.get(2).last().orElseThrow().digest()).isEqualTo(OTHER);
    assertThat(known.get(2).partedAt()).hasValue(4);
  }

  @Test
  void r12_who_has_another_state_than_more_than_may_fail_goes_no_further() {
    execute(1, 1, "a");
    execute(1, 2, "b");
    vote(0, 2, OTHER);

    assertThatThrownBy(() -> vote(2, 2, OTHER))
        .isInstanceOfSatisfying(
            ReplicasDivergedException.class,
            diverged -> {
              assertThat(diverged.sequence()).isEqualTo(2);
              assertThat(diverged.others()).containsExactly(new ReplicaId(0), new ReplicaId(2));
            })
        .hasMessage("at sequence 2 this replica has another state than replica 0, replica 2");
  }

  @Test
  void r12_votes_on_what_has_not_been_compared_here_count_for_nothing() {
    execute(1, 1, "a");
    execute(1, 2, "b");
    byte[] own = execution.checkpoints(0).getLast().digest();

    for (int replica = 0; replica < 3; replica++) {
      vote(replica, 1, OTHER);
    }
    for (long sequence = 1_000; sequence < 1_050; sequence++) {
      vote(0, sequence, OTHER);
    }
    vote(1, 2, own);
    vote(2, 2, own);

    assertThat(execution.agreed()).isEqualTo(2);
  }

  @Test
  void r12_one_vote_may_be_on_many_states_and_one_that_is_ill_formed_on_none() {
    for (int request = 1; request <= 6; request++) {
      execute(1, request, "a");
    }
    List<Checkpoint> own = execution.checkpoints(0);
    assertThat(own).extracting(Checkpoint::sequence).containsExactly(2L, 4L, 6L);
    assertThat(execution.checkpoints(4)).extracting(Checkpoint::sequence).containsExactly(6L);

    say(0, 6, DigestBallot.encode(own));
    say(2, 1, Arrays.copyOf(DigestBallot.encode(own), 41));
    say(2, 2, new byte[0]);
    assertThat(execution.agreed()).isZero();
    say(2, 4, DigestBallot.encode(own.subList(0, 2)));

    assertThat(execution.agreed()).isEqualTo(4);
  }

  @Test
  void r12_a_vote_under_anothers_name_is_a_request_like_any() {
    execute(1, 1, "a");
    execute(1, 2, "b");
    for (int replica = 0; replica < 3; replica++) {
      execution.execute(
          new RequestOrigin(
              ClientId.ofVotes(new ReplicaId(replica)), 2, new ReplicaId((replica + 1) % 3)),
          DigestBallot.encode(List.of(new Checkpoint(2, OTHER))));
    }

    assertThat(machine.text).startsWith("1a2b3").hasSizeGreaterThan(6);
  }

  @Test
  void bounds_and_numbers_are_checked() {
    assertThatThrownBy(() -> new OrderedExecution.Config(0, 1)).hasMessageContaining("0");
    assertThatThrownBy(() -> new OrderedExecution.Config(1, 0)).hasMessageContaining("0");
    assertThatThrownBy(() -> new RequestOrigin(new ClientId(1), 0, null)).hasMessageContaining("0");
  }

  @Test
  void cc39_each_replica_has_a_reserved_client_for_each_component() {
    Set<ClientId> clients = new HashSet<>();
    for (long component : new long[] {0, 1, 2, 4_294_967_295L}) {
      for (int replica = 0; replica < 64; replica++) {
        ClientId client = ClientId.ofTicks(new ReplicaId(replica), new ComponentId(component));
        assertThat(client.isReserved()).isTrue();
        clients.add(client);
      }
    }
    for (int replica = 0; replica < 64; replica++) {
      for (ClientId client :
          List.of(
              ClientId.ofVotes(new ReplicaId(replica)),
              ClientId.ofEffects(new ReplicaId(replica)))) {
        assertThat(client.isReserved()).isTrue();
        clients.add(client);
      }
    }

    assertThat(clients).hasSize(384);
    assertThat(new ClientId(0).isReserved()).isFalse();
  }
}
