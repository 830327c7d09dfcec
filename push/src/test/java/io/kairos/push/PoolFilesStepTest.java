package io.kairos.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.PortList;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.model.pool.ModelPoolStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolFilesStepTest {
  private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);

  @TempDir private Path directory;

  @AutoClose
  private final PushConnections caller =
      new PushConnections(
          ConfigRecord.defaults(PushConfig.class),
          AllowList.of(List.of(), PortList.DEFAULT),
          PoolCredentials.none());

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger encryptions = new AtomicInteger();
  private final AtomicInteger changes = new AtomicInteger();

  /** What the store answers to the next encryption; empty while older nodes run. */
  private OptionalInt answer = OptionalInt.of(0);

  private PoolFilesStep step(Optional<EncryptionKeyFile> keys) {
    ModelPoolStore pools =
        new ModelPoolStore(InstantSource.system()) {
          @Override
          public synchronized OptionalInt encryptSecrets() {
            encryptions.incrementAndGet();
            return answer;
          }
        };
    PushPorts ports =
        new PushPorts(
            new HandedTasks(),
            pools,
            keys,
            _ -> OptionalLong.empty(),
            caller,
            InstantSource.system(),
            nanos::get,
            RandomGeneratorFactory.of("L64X128MixRandom").create(7),
            List.of(),
            new Silent(),
            PushSpans.NONE);
    return new PoolFilesStep(ports, changes::incrementAndGet);
  }

  private Path file(String lines) throws IOException {
    return Files.writeString(directory.resolve("keys"), lines);
  }

  @Test
  void secrets_are_encrypted_at_the_start_after_a_change_of_the_keys_and_every_hour()
      throws IOException {
    PoolFilesStep step = step(Optional.of(new EncryptionKeyFile(file("k1:" + KEY))));
    assertThat(step.isNeeded()).isTrue();

    step.runOnce();
    step.runOnce();
    assertThat(encryptions).hasValue(1);

    file("k2:" + KEY + "\nk1:" + KEY);
    step.runOnce();
    step.runOnce();
    assertThat(encryptions).hasValue(2);
    assertThat(changes).hasValue(1);

    nanos.addAndGet(Duration.ofHours(1).toNanos());
    step.runOnce();
    step.runOnce();
    assertThat(encryptions).hasValue(3);
  }

  @Test
  void it_tries_again_until_no_older_node_runs() throws IOException {
    PoolFilesStep step = step(Optional.of(new EncryptionKeyFile(file("k1:" + KEY))));
    answer = OptionalInt.empty();

    step.runOnce();
    step.runOnce();
    assertThat(encryptions).hasValue(2);

    answer = OptionalInt.of(7);
    step.runOnce();
    step.runOnce();
    assertThat(encryptions).hasValue(3);
  }

  @Test
  void without_files_there_is_nothing_to_do() {
    assertThat(step(Optional.empty()).isNeeded()).isFalse();
  }

  private static final class Silent implements PushEvents {
    @Override
    public void happened(Counted event) {}

    @Override
    public void answered(int status, long tookNanos) {}

    @Override
    public void ejected(PoolName pool, String endpoint) {}

    @Override
    public void unreadable(PoolName pool, RuntimeException why) {}
  }
}
