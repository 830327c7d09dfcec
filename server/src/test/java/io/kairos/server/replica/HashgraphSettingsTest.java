package io.kairos.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ReplicatedLogProvider.SigningKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HashgraphSettingsTest {
  private static final ReplicaId SECOND = new ReplicaId(1);

  @TempDir private Path folder;

  private final List<KeyPair> pairs = Stream.generate(SigningKeyPem::generate).limit(4).toList();

  private Path written(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private List<String> lines() {
    return pairs.stream().map(pair -> SigningKeyPem.line(pair.getPublic())).toList();
  }

  private HashgraphSettings settings(Path own, List<String> all) {
    return new HashgraphSettings(own, all, false);
  }

  private Path ownKey() throws IOException {
    return written("own.key", SigningKeyPem.print(pairs.get(1).getPrivate()));
  }

  @Test
  void public_keys_are_files_or_their_line() throws IOException {
    List<String> all = new ArrayList<>(lines());
    all.set(0, written("0.pub", SigningKeyPem.print(pairs.get(0).getPublic())).toString());
    all.set(2, SigningKeyPem.print(pairs.get(2).getPublic()));

    SigningKeys keys = settings(ownKey(), all).read(SECOND);

    assertThat(keys.all())
        .containsExactlyElementsOf(pairs.stream().map(KeyPair::getPublic).toList());
    assertThat(keys.own()).isEqualTo(pairs.get(1).getPrivate());
    assertThat(keys.toString()).isEqualTo("SigningKeys[4 replicas]");
  }

  @Test
  void keys_that_are_not_in_their_place_are_refused_by_setting() throws IOException {
    HashgraphSettings settings = settings(ownKey(), lines());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.read(new ReplicaId(2)))
        .withMessageContaining("is not the key of replica 2")
        .withMessageContaining(HashgraphSettings.PUBLIC_KEYS);
    List<String> twice = new ArrayList<>(lines());
    twice.set(3, twice.get(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(ownKey(), twice).read(SECOND))
        .withMessageContaining("one key twice");
  }

  @Test
  void what_is_no_key_is_refused_with_what_to_do() throws IOException {
    Path wrong = written("wrong.key", SigningKeyPem.print(pairs.get(1).getPublic()));
    Path missing = folder.resolve("missing.key");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(wrong, lines()).read(SECOND))
        .withMessageContaining(HashgraphSettings.SIGNING_KEY)
        .withMessageContaining("kairos replica keys");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(missing, lines()).read(SECOND))
        .withMessageContaining(missing.toString());
    for (String text :
        List.of(
            missing.toString(),
            lines().getFirst().substring(0, 40),
            "-----BEGIN PUBLIC KEY-----\n*\n-----END PUBLIC KEY-----\n",
            SigningKeyPem.print(pairs.get(0).getPrivate()))) {
      List<String> all = new ArrayList<>(lines());
      all.set(0, text);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> settings(ownKey(), all).read(SECOND))
          .withMessageContaining(HashgraphSettings.PUBLIC_KEYS);
    }
  }
}
