package io.kairos.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.examples.InProcess.Resize;
import io.kairos.examples.InProcess.Resized;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class InProcessTest {
  @Test
  void a_task_is_performed_inside_the_application_on_its_own_database() {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(postgres.newDatabase());
    source.setUser(postgres.user());
    source.setPassword(postgres.password());

    try (InProcess application = new InProcess(source)) {
      assertThat(
              application.await(
                  application.schedule(new Resize("42.png", 300), Duration.ofMillis(5))))
          .contains(new Resized("https://pictures.example.com/300/42.png"));
    }
  }
}
