package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.header;
import static io.kairos.server.wiring.Application.keyed;
import static io.kairos.server.wiring.Application.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.handler.FatalFailure;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedKafka;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kairos task} and {@code kairos handler} as an operator types them, against a whole node.
 */
class CommandLineEndToEndTest {
  @AutoClose private static final RunningNode node = Configured.started();

  private static Said kairos(String group, String... words) {
    List<String> all = new ArrayList<>(List.of(group));
    all.add("--address=127.0.0.1:" + node.places().httpPort());
    all.addAll(List.of(words));
    Said said = Said.of(all);
    return new Said(said.code(), said.out().strip(), said.err().strip());
  }

  private static String done(String group, String... words) {
    Said said = kairos(group, words);
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    return said.out();
  }

  @Test
  void a_pool_is_set_up_changed_and_deleted() {
    assertThat(done("pool", "create", "cli-pool", "--url", "https://127.0.0.1:9999/jobs"))
        .startsWith("cli-pool: whsec_");
    assertThat(done("pool", "change", "cli-pool", "--routing", "sticky", "--max-in-flight", "7"))
        .contains("sticky")
        .contains("https://127.0.0.1:9999/jobs")
        .contains("most in flight      7");
    assertThat(done("pool", "change", "cli-pool", "--tls", "partner"))
        .contains("credentials         partner");
    assertThat(done("pool", "change", "cli-pool", "--tls", "none")).doesNotContain("credentials  ");
    assertThat(done("pool", "list")).contains("cli-pool");
    assertThat(done("pool", "rotate-key", "cli-pool", "--yes")).startsWith("cli-pool: whsec_");
    assertThat(kairos("pool", "register", "cli-pool", "http://127.0.0.1:9999").err())
        .contains("do not register themselves");
    assertThat(done("pool", "delete", "cli-pool", "--yes")).isEqualTo("cli-pool: deleted");
    assertThat(kairos("pool", "create", "evil", "--url", "http://10.0.0.1").err())
        .contains("private address");
  }

  @Test
  void a_task_is_added_shown_rescheduled_and_cancelled() {
    String id = done("task", "add", "cli-task", "--payload", "hello", "--delay", "1h");

    assertThat(done("task", "get", id)).contains("handler   cli-task").contains("state     new");
    assertThat(done("task", "list", "--handler", "cli-task")).contains(id);
    assertThat(done("task", "reschedule", id, "--at", "2090-01-01T00:00:00Z"))
        .contains("2090-01-01");
    assertThat(done("task", "cancel", id)).isEqualTo("cancelled");
    Said again = kairos("task", "cancel", id);
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.out()).isEqualTo("too late");
  }

  @Test
  void da4_a_handler_is_paused_shown_and_resumed() {
    done("task", "add", "cli-pause");

    assertThat(done("handler", "pause", "cli-pause", "--note", "deploy"))
        .isEqualTo("cli-pause: paused (deploy)");
    assertThat(line("cli-pause")).contains("no worker").contains("paused (deploy)");
    assertThat(done("handler", "resume", "cli-pause")).isEqualTo("cli-pause: resumed");
    assertThat(line("cli-pause")).doesNotContain("paused");
    Said again = kairos("handler", "resume", "cli-pause");
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.err()).startsWith("kairos: ");
  }

  private static String line(String handler) {
    return done("handler", "list")
        .lines()
        .filter(line -> line.startsWith(handler + " "))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_queue_is_limited_shown_and_freed() {
    done("task", "add", "cli-limit");

    assertThat(done("handler", "limits", "cli-limit", "--max-running", "3", "--rate", "2.5"))
        .isEqualTo("priority 50: 0 of 3 running, 2.5 per second");
    assertThat(done("handler", "limits", "cli-limit", "--max-running", "none"))
        .isEqualTo("priority 50: 2.5 per second");
    assertThat(done("handler", "limits", "cli-limit")).isEqualTo("priority 50: 2.5 per second");
    assertThat(done("handler", "limits", "cli-limit", "--rate", "none"))
        .isEqualTo("priority 50: not limited");
  }

  @Test
  void what_holds_for_a_handler_is_changed_by_name_and_shown() {
    assertThat(done("handler", "settings", "cli-set", "--max-attempts", "7", "--max-backoff", "1h"))
        .contains("attempts    7")
        .contains("at most PT1H")
        .contains("unfinished  any number")
        .contains("one task at a time in due order, a dead one is passed");
    done("handler", "settings", "cli-set", "--max-unfinished", "1", "--key-max-running", "3");
    done("handler", "settings", "cli-set", "--key-rate", "2.5", "--max-attempts", "default");

    assertThat(done("handler", "settings", "cli-set"))
        .contains("attempts    101")
        .contains("at most PT1H")
        .contains("unfinished  at most 1")
        .contains("up to 3 tasks at a time, 2.5 per second, burst 3");
    done("task", "add", "cli-set", "--delay", "1h");
    assertThat(kairos("task", "add", "cli-set").code()).isEqualTo(1);
    assertThat(kairos("handler", "settings", "cli-set", "--key-rate", "fast").code()).isEqualTo(2);
    assertThat(kairos("handler", "settings", "cli-none").code()).isEqualTo(1);
  }

  @Test
  void pd31_a_blocked_key_is_listed_and_its_head_tried_again_and_skipped() throws Exception {
    done("handler", "settings", "cli-keys", "--max-attempts", "1", "--on-dead", "block");
    String head = done("task", "add", "cli-keys", "--key", "anna", "--payload", "bad");
    done("task", "add", "cli-keys", "--key", "anna", "--payload", "good");
    BlockingQueue<String> performed = new LinkedBlockingQueue<>();
    try (Worker _ =
        Configured.worker(
            Configured.address(node),
            "cli-keys",
            PayloadCodec.utf8(),
            (payload, context) -> fail(payload, performed))) {

      assertThat(performed.poll(30, TimeUnit.SECONDS)).isEqualTo("bad");
      assertThat(stuck())
          .contains("cli-keys  anna")
          .contains("blocked")
          .contains(head)
          .endsWith("no route");
      assertThat(done("handler", "retry", "cli-keys", "anna"))
          .isEqualTo("anna: head is tried again");
      assertThat(performed.poll(30, TimeUnit.SECONDS)).isEqualTo("bad");
      stuck();
      assertThat(done("handler", "skip", "cli-keys", "anna")).isEqualTo("anna: head skipped");
      assertThat(performed.poll(30, TimeUnit.SECONDS)).isEqualTo("good");
    }
    assertThat(done("handler", "keys", "--handler", "cli-keys")).doesNotContain("anna");
    assertThat(kairos("handler", "skip", "cli-keys", "anna").code()).isEqualTo(1);
  }

  private static void fail(String payload, BlockingQueue<String> performed) {
    performed.add(payload);
    if (payload.equals("bad")) {
      throw new FatalFailure("no route");
    }
  }

  /** What is listed as soon as the worker's result is stored. */
  private static String stuck() {
    long untilNanos = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    String listed = "";
    while (!listed.contains("anna") && System.nanoTime() - untilNanos < 0) {
      listed = done("handler", "keys", "--handler", "cli-keys");
    }
    return listed;
  }

  @Test
  void a_crontab_is_looked_at_imported_and_imported_again(@TempDir Path folder) throws Exception {
    String file =
        Files.writeString(
                folder.resolve("crontab"),
                """
                CRON_TZ=Europe/Berlin
                30 2 * * 1-5  /usr/bin/backup --all
                @reboot       warm-up
                */15 9-17 * * *  report %one line
                """)
            .toString();

    Said looked = kairos("import", "crontab", file, "--dry-run");
    assertThat(looked.code()).isEqualTo(1);
    assertThat(looked.out()).contains("2 can be imported, 1 not").contains("no rule says it");
    assertThat(done("schedule", "list")).doesNotContain("crontab/");

    assertThat(kairos("import", "crontab", file).out()).contains("2 imported, 1 not");
    assertThat(kairos("import", "crontab", file).out()).contains("crontab/backup: unchanged");
    assertThat(done("schedule", "describe", "crontab/backup"))
        .contains("30 2 * * 1-5 Europe/Berlin")
        .contains("overlap allow all")
        .contains("handler crontab");
    Path shown =
        Files.writeString(
            folder.resolve("shown.yaml"),
            done("schedule", "describe", "crontab/backup", "-o", "yaml"));
    assertThat(done("schedule", "apply", "-f", shown.toString()))
        .isEqualTo("crontab/backup: unchanged");
    String run = done("schedule", "trigger", "crontab/report");
    assertThat(done("task", "get", run)).contains("handler   crontab");
    done("schedule", "delete", "crontab/backup", "crontab/report", "--yes");
  }

  @Test
  void a_task_for_a_topic_is_published_or_cancelled() {
    String far = done("task", "add", "--topic", "kairos.out", "--payload", "far", "--delay", "1h");
    done(
        "task",
        "add",
        "--topic",
        "kairos.out",
        "--payload",
        "now",
        "--message-key",
        "cli-topic",
        "--header",
        "a=b=c");

    try (Application application = new Application(EmbeddedKafka.shared().bootstrapServers())) {
      ConsumerRecord<byte[], byte[]> record =
          application.receive("kairos.out", 1, keyed("cli-topic")).getFirst();
      assertThat(value(record)).isEqualTo("now");
      assertThat(header(record, "a")).isEqualTo("b=c");
    }
    assertThat(done("task", "cancel", far)).isEqualTo("cancelled");
    String again = done("delay", "send", "--topic", "kairos.out", "--delay", "1h");
    assertThat(done("delay", "reschedule", again, "--at", "2090-01-01T00:00:00Z"))
        .isEqualTo(again + ": due 2090-01-01T00:00:00Z");
    assertThat(done("delay", "cancel", again)).isEqualTo("cancelled");
    assertThat(kairos("task", "add").code()).isEqualTo(2);
    assertThat(kairos("task", "add", "h", "--topic", "kairos.out()").code()).isEqualTo(2);
    assertThat(kairos("task", "add", "--topic", "secrets").code()).isEqualTo(1);
  }

  @Test
  void what_makes_no_sense_is_refused_with_the_usage() {
    assertThat(kairos("handler", "redrive").code()).isEqualTo(2);
    assertThat(kairos("handler", "limits", "h", "--rate", "fast").code()).isEqualTo(2);
    assertThat(kairos("handler").code()).isEqualTo(2);
    assertThat(kairos("task", "get", "7").code()).isEqualTo(1);
  }

  @Test
  void daf3_nothing_is_put_back_where_nothing_has_failed() {
    assertThat(done("handler", "redrive", "--handler", "cli-none", "--rate", "5"))
        .isEqualTo("0 put back");
  }
}
