package io.kairos.examples.lease;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.consensus.RatisConfig;
import io.kairos.consensus.ReplicaAddress;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.EffectSink;
import io.kairos.engine.cron.LogReply;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.SubmissionResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedCronTest {
  private static final int REPLICAS = 3;

  @TempDir private Path folder;

  private static List<ReplicaAddress> freeAddresses() throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < REPLICAS; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream()
          .map(socket -> new ReplicaAddress("127.0.0.1", socket.getLocalPort()))
          .toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  private EmbeddedCron start(int number, List<ReplicaAddress> addresses, EffectSink outside) {
    return new EmbeddedCron(
        new RatisConfig(
            "embedded",
            new ReplicaId(number),
            addresses,
            folder.resolve("replica-" + number),
            Optional.empty(), // no TLS: the replicas are on one machine
            OrderedExecution.Config.DEFAULT,
            RatisConfig.Limits.DEFAULT),
        outside,
        broken -> {
          throw new AssertionError(broken);
        });
  }

  private static String reply(CompletableFuture<SubmissionResult> answer) throws Exception {
    if (!(answer.get() instanceof SubmissionResult.Done(_, byte[] bytes))) {
      throw new AssertionError("not executed: " + answer);
    }
    assertThat(LogReply.of(bytes)).isEqualTo(LogReply.EXECUTED);
    return new String(Arrays.copyOfRange(bytes, 1, bytes.length), UTF_8);
  }

  @Test
  @Timeout(120)
  void replicas_in_an_application_have_backups_made_by_what_a_request_has_set() throws Exception {
    List<ReplicaAddress> addresses = freeAddresses();
    BlockingQueue<Map.Entry<String, String>> made = new LinkedBlockingQueue<>();
    EffectSink outside =
        (effect, answered) -> {
          made.add(Map.entry(effect.id().toString(), new String(effect.body(), UTF_8)));
          answered.accept(EffectSink.Answer.DONE);
        };
    try (EmbeddedCron one = start(0, addresses, outside);
        EmbeddedCron other = start(1, addresses, outside);
        EmbeddedCron third = start(2, addresses, outside)) {
      assertThat(reply(one.folder(new ClientId(7), 1, "disk"))).isEqualTo("unset");
      assertThat(reply(other.folder(new ClientId(7), 2, "tape"))).isEqualTo("disk");
      assertThat(reply(third.folder(new ClientId(7), 2, "tape")))
          .as("submitted again at another replica")
          .isEqualTo("disk");

      Map.Entry<String, String> backup;
      do {
        backup = requireNonNull(made.poll(1, TimeUnit.MINUTES), "no backup for a minute");
        assertThat(backup.getKey()).startsWith("1-10-");
      } while (!backup.getValue().equals("tape"));
    }
  }

  @Test
  void a_step_is_tried_again_after_trouble_outside_and_ends_with_a_word() {
    Iterator<RuntimeException> thrown =
        List.of(
                new UncheckedIOException(new IOException("the network is away")),
                new IllegalStateException("an invariant is broken"))
            .iterator();
    List<Throwable> broken = new ArrayList<>();

    EmbeddedCron.run(
        Step.of(
            "any",
            () -> {
              throw thrown.next();
            }),
        broken::add);

    assertThat(broken).singleElement().isInstanceOf(IllegalStateException.class);
    assertThat(thrown).isExhausted();
  }
}
