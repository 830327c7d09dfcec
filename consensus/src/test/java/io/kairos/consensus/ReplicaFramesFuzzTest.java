package io.kairos.consensus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.fuzzing.ParserFuzz;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Entries of the log, the file with a replica's state, and addresses of replicas. */
class ReplicaFramesFuzzTest {
  private static final byte[] STATE = "the state of a replica".getBytes(UTF_8);

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> every_input_is_taken_or_refused() throws IOException {
    Path written = folder.resolve("written");
    KeptState.write(written, STATE);
    Path file = folder.resolve("state");
    ReplicaAddress.Format address = new ReplicaAddress.Format();
    return Stream.of(
        ParserFuzz.bytes("request-envelope", ReplicaFramesFuzzTest::envelope)
            .seeds(
                List.of(
                    RequestEnvelope.encode(new ReplicaId(2), new ClientId(-7), 9, STATE),
                    RequestEnvelope.encode(new ReplicaId(0), new ClientId(1), 1, new byte[0])))
            .test(),
        ParserFuzz.bytes("kept-state", input -> state(file, input))
            .seeds(List.of(Files.readAllBytes(written)))
            .refusing(IOException.class)
            .test(),
        ParserFuzz.text("replica-address", text -> address.read(text).literal())
            .refusing(IllegalArgumentException.class)
            .test());
  }

  private static void envelope(byte[] input) {
    RequestEnvelope.decode(ByteBuffer.wrap(input))
        .ifPresent(read -> {
          byte[] again =
              RequestEnvelope.encode(
                  requireNonNull(read.origin().replica()),
                  read.origin().client(),
                  read.origin().request(),
                  read.command());
          if (!Arrays.equals(again, input)) {
            throw new IllegalStateException("it is not what is encoded of it");
          }
        });
  }

  /** What is read must be what was written. */
  private static void state(Path file, byte[] input) throws IOException {
    Files.write(file, input);
    if (!Arrays.equals(KeptState.read(file), STATE)) {
      throw new IllegalStateException("a damaged file is taken");
    }
  }
}
