package io.kairos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.cli.ScriptedNode.Said;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What makes no sense: exit code 2, what is wrong and the usage, and no node is asked. */
final class UsageTest {
  private static final ScriptedNode NODE = new ScriptedNode();

  @AfterAll
  static void stop() {
    NODE.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "task | add, await, cancel, cancel-graph, failures, get, graph, list or reschedule",
        "task nonsense | nonsense",
        "task add | HANDLER or --topic",
        "task add mail --topic kairos.out | HANDLER or --topic",
        "task add mail --payload a --payload-file b | mutually exclusive",
        "task add mail --delay soon | --delay",
        "task add mail --delay 1s --at 2090-01-01T00:00:00Z | mutually exclusive",
        "task add mail --priority high | --priority",
        "task add mail --idempotency-key k --on-conflict perhaps | --on-conflict",
        "task list --state finished | --state",
        "task cancel | Give an ID",
        "task cancel 019b76da-a800-7000-8000-000000000004 --handler mail | Give an ID",
        "task reschedule 019b76da-a800-7000-8000-000000000004 | --at",
        "batch | cancel, close, create, list or show",
        "batch create | HANDLER",
        "batch show x --watch soon | soon",
        "handler | drop, keys, limits",
        "handler list --watch 1ms | shortest interval",
        "task list --watch soon | soon",
        "handler pause | HANDLER",
        "handler pause mail --for 1h --until 2090-01-01T00:00:00Z | mutually exclusive",
        "handler limits mail --rate fast | 'fast' is neither a number nor none",
        "handler settings mail --max-attempts many | 'many' is neither such a value nor default",
        "handler settings mail --on-dead skip | --on-dead",
        "handler skip mail | KEY",
        "handler redrive | --handler or --all",
        "dlq | list, redrive or show",
        "dlq redrive | --handler or --all",
        "delay | cancel, reschedule or send",
        "delay send --payload x | --topic",
        "delay reschedule 019b76da-a800-7000-8000-000000000004 | --at",
        "pool | change, create, delete",
        "pool list -o xml | --output",
        "pool create | POOL",
        "cron | call, entries, fires",
        "cron table --component 1 | --tick",
        "cron table --component 1 --tick 1s --remove | mutually exclusive",
        "cron remove --component 1 | --position",
        "cron show --component 1 | --position",
        "cron put --component 1 --position 2 --run m | --each-tick",
        "cron put --component 1 --position 2 --every 1s --cron x --run m | mutually exclusive",
        "cron put --component 1 --position 2 --each-tick | --task",
        "cron put --component 1 --position 2 --each-tick --run m --task h | mutually exclusive",
        "cron put --component 1 --position 2 --every 1s --anchor 2029-01-01T00:00:00Z --run m | --anchor goes with --rate",
        "cron put --component 1 --position 2 --each-tick --run m --key k | --key goes with",
        "cron put --component 1 --position 2 --each-tick --message t | --delay goes with --message",
        "cron put --component 1 --position 2 --each-tick --task h --delay 1m | --delay goes with --message",
        "cron put --component 1 --position 2 --each-tick --task h --content-type x | --content-type goes with",
        "cron put --component 1 --position 2 --each-tick --prune 1d --payload x | --prune has no payload",
        "cron call m --client 7 | --request",
        "cron status -o xml | --output",
        "schedule | apply, backfill, create, delete, describe, history",
        "schedule create x --handler h | Give a rule",
        "schedule create x --every 1m | Give a rule",
        "schedule create x --every 1m --at 2090-01-01T00:00:00Z --handler h | mutually exclusive",
        "schedule create x --every 1m --handler h --topic t | mutually exclusive",
        "schedule create x --every often --handler h | --every",
        "schedule create x --every 1m --handler h --overlap never | --overlap",
        "schedule preview | Give an EXPRESSION",
        "schedule apply | --file",
        "schedule backfill x --from 2029-01-01T00:00:00Z | --to",
        "schedule history x --reason rain | --reason",
        "schedule list -o xml | --output",
        "calendar | delete, get, list or put",
        "calendar put x | FILE",
        "context | add, list, remove, show or use",
        "context use | CONTEXT",
        "completion | SHELL",
        "completion csh | SHELL",
        "man | --into",
        "import | celery, crontab, dbscheduler, jobrunr, jobrunr-jobs, pgboss, pgboss-jobs, quartz, river or sidekiq",
        "import sidekiq | FILE",
        "import pgboss | JDBC-URL",
        "import river | JDBC-URL",
        "import crontab | FILE",
        "poll --within soon | --within",
        "worker | controller or exec",
        "worker exec --handler mail | PROGRAM",
        "worker controller -- ./worker | --handler"
      })
  void what_makes_no_sense_is_refused_before_a_node_is_asked(String words, String problem) {
    Said said = NODE.kairos(words);

    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains(problem).contains("Usage: kairos " + words.split(" ", 2)[0]);
    assertThat(said.out()).isEmpty();
    assertThat(NODE.wasNotAsked()).isTrue();
  }
}
