package io.kairos.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.RecordingMachine;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.SubmissionResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RatisTlsTest {
  private static final int REQUESTS = 20;

  @TempDir Path directory;

  @Test
  void replicas_that_trust_each_other_agree_and_a_stranger_among_them_is_not_heard() {
    TlsFiles trusted = Certificates.selfSigned(directory, "cluster");
    TlsFiles stranger = Certificates.selfSigned(directory, "stranger");
    List<SubmissionResult> answers = new CopyOnWriteArrayList<>();
    List<SubmissionResult> answersToStranger = new CopyOnWriteArrayList<>();
    RecordingMachine[] machines = {
      new RecordingMachine(), new RecordingMachine(), new RecordingMachine()
    };
    try (RatisReplicas replicas =
        new RatisReplicas(
            directory,
            3,
            RatisReplicas.LIMITS,
            id -> Optional.of(id.number() == 2 ? stranger : trusted))) {
      ReplicatedLog[] logs = new ReplicatedLog[3];
      for (int i = 0; i < 3; i++) {
        logs[i] = replicas.open(new ReplicaId(i), machines[i]);
      }
      logs[2].submit(new ClientId(3), 1, bytes("hear me"), answersToStranger::add);
      for (int request = 1; request <= REQUESTS; request++) {
        int count = request;
        logs[request % 2].submit(new ClientId(1), request, bytes("text"), answers::add);
        assertThat(replicas.letPass(() -> answers.size() == count)).isTrue();
      }
    }

    assertThat(answers).allMatch(answer -> answer instanceof SubmissionResult.Done);
    assertThat(machines[2].executed()).isEmpty();
    assertThat(answersToStranger).singleElement().isInstanceOf(SubmissionResult.Unknown.class);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
