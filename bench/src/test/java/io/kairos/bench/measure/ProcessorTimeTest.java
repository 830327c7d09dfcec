package io.kairos.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ProcessorTimeTest {
  @Test
  void the_time_of_children_that_have_ended_counts() throws IOException, InterruptedException {
    Process parent =
        new ProcessBuilder(
                "sh",
                "-c",
                "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; echo; read x")
            .start();
    try {
      assertThat(parent.getInputStream().read()).isEqualTo('\n');

      assertThat(ProcessorTime.ofTree(parent.pid())).isGreaterThan(Duration.ofMillis(20));
      assertThat(ProcessorTime.ofProcess(parent.pid()))
          .isLessThan(ProcessorTime.ofTree(parent.pid()));
    } finally {
      parent.destroyForcibly();
      parent.waitFor();
    }
  }

  @Test
  void a_process_that_is_gone_has_none() {
    assertThat(ProcessorTime.ofTree(Long.MAX_VALUE)).isZero();
    assertThat(ProcessorTime.ofCompilers(Long.MAX_VALUE)).isZero();
  }

  @Test
  void the_compilers_of_a_jvm_have_a_part_of_its_time() {
    long self = ProcessHandle.current().pid();

    Duration compilers = ProcessorTime.ofCompilers(self);

    assertThat(compilers).isPositive().isLessThan(ProcessorTime.ofProcess(self));
  }
}
