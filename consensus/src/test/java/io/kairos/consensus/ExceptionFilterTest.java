package io.kairos.consensus;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.contracts.RecordingMachine;
import io.kairos.domain.replica.ReplicaId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExceptionFilterTest {
  @TempDir Path directory;

  /** An exception with something else in it. */
  private static final class Carrier extends IOException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("unused") // only its class is looked at
    private final HashMap<String, String> other = new HashMap<>();
  }

  private static Object read(Object written) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(written);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      in.setObjectInputFilter(new ExceptionFilter());
      return requireNonNull(in.readObject());
    }
  }

  @Test
  void an_exception_comes_with_its_causes_what_it_suppresses_and_its_stack() throws Exception {
    Exception sent = new StateMachineException("no", new IOException("disk"));
    sent.addSuppressed(new IllegalStateException("closed"));

    Throwable read = (Throwable) read(sent);

    assertThat(read).hasMessage("no").hasRootCauseMessage("disk");
    assertThat(read.getSuppressed()).hasSize(1);
    assertThat(read.getStackTrace()).isNotEmpty();
  }

  @Test
  void nothing_else_is_read() {
    for (Object other :
        List.of(new HashMap<>(), new PriorityQueue<>(List.of("a")), 1L, new int[20_000])) {
      assertThatThrownBy(() -> read(other)).isInstanceOf(InvalidClassException.class);
    }
    assertThatThrownBy(() -> read(new Carrier())).isInstanceOf(InvalidClassException.class);
  }

  @Test
  void a_replica_sets_it_for_the_whole_jvm() {
    try (RatisReplicas replicas = new RatisReplicas(directory, 1)) {
      replicas.open(new ReplicaId(0), new RecordingMachine());

      assertThat(ObjectInputFilter.Config.getSerialFilter()).isInstanceOf(ExceptionFilter.class);
    }
  }
}
