package io.kairos.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CompletionTokensTest {
  private static final FencedTask TASK = new FencedTask(new TaskId(new UUID(1, 2)), 3);

  private final CompletionTokens tokens = new CompletionTokens(new byte[32]);

  @Test
  void a_token_is_read_as_the_attempt_that_it_is_of() {
    assertThat(tokens.read(tokens.of(TASK))).contains(TASK);
    assertThat(tokens.of(TASK)).matches("[A-Za-z0-9_-]+").isNotEqualTo(tokens.of(TASK.next()));
  }

  @Test
  void what_is_changed_cut_off_or_of_another_store_is_refused() {
    String token = tokens.of(TASK);
    for (int i = 0; i < token.length() - 1; i++) {
      char other = token.charAt(i) == 'A' ? 'B' : 'A';
      assertThat(tokens.read(token.substring(0, i) + other + token.substring(i + 1))).isEmpty();
      assertThat(tokens.read(token.substring(0, i))).isEmpty();
    }
    assertThat(new CompletionTokens(new byte[] {1}).read(token)).isEmpty();
    assertThat(tokens.read("not a token!")).isEmpty();
  }
}
