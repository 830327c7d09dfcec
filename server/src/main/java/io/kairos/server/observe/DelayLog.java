package io.kairos.server.observe;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.RecordRejection;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.engine.delay.setup.DelayEvents;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a node's decisions for operators. Nothing per message above DEBUG: many messages become one
 * event with their count and the first ids; an outage is logged when it begins and when it is over.
 * Never logs payloads. Thread-safe.
 */
public final class DelayLog implements DelayEvents {
  private static final Logger LOG = LoggerFactory.getLogger(DelayLog.class);
  private static final int IDS_SHOWN = 10;
  private static final String ROUTE = "route";
  private static final String NODE = "node";
  private static final String COUNT = "count";
  private static final String FIRST = "first";
  private static final String ID = "id";

  private final Map<RouteId, String> routeNames;
  private final SendOutages outages;
  private final DeadLetterCounts deadLetters;

  public DelayLog(
      Map<RouteId, String> routeNames, SendOutages outages, DeadLetterCounts deadLetters) {
    this.routeNames = Map.copyOf(routeNames);
    this.outages = outages;
    this.deadLetters = deadLetters;
  }

  @Override
  public void deadLettered(RouteId route, RecordRejection.Reason reason) {
    deadLetters.add(name(route), reason);
  }

  @Override
  public void amended(AmendmentOutcome outcome) {
    LOG.atDebug().addKeyValue("outcome", outcome).log("amendment decided");
  }

  @Override
  public void publishFailed(MessageOutput output, int partition, String why) {
    outages.failed(output, partition, why);
  }

  @Override
  public void resultRefused(RouteId route, TopicName topic, String why) {
    LOG.atWarn()
        .addKeyValue(ROUTE, name(route))
        .addKeyValue("topic", topic)
        .addKeyValue("why", why)
        .log("the broker will never take the outcome of a control record: it is not told");
  }

  @Override
  public void deferred(int count) {
    LOG.atDebug()
        .addKeyValue(COUNT, count)
        .log("messages whose output is dead, slow or refuses them were given back for later");
  }

  /** A warning, with ids (CH-32), unless the former holder has announced its stop. */
  @Override
  public void takenOver(NodeId from, boolean retired, List<ClaimedMessage> messages) {
    (retired ? LOG.atInfo() : LOG.atWarn())
        .addKeyValue(NODE, from)
        .addKeyValue(COUNT, messages.size())
        .addKeyValue(FIRST, first(messages, claimed -> claimed.message().id().value()))
        .log(
            retired
                ? "took over messages that a stopped node gave back"
                : "a node is suspected to be dead: took over its messages");
    each(messages, "taken over");
  }

  /** One warning per suspected node and pass (CH-32). */
  @Override
  public void suspected(NodeId holder, List<LongHeldMessage> reset) {
    LOG.atWarn()
        .addKeyValue(NODE, holder)
        .addKeyValue(COUNT, reset.size())
        .addKeyValue(FIRST, first(reset, suspect -> suspect.id().value()))
        .log("a node is suspected to have failed: its messages were held beyond the hold time");
    if (LOG.isDebugEnabled()) {
      reset.forEach(suspect ->
          LOG.atDebug()
              .addKeyValue(NODE, holder)
              .addKeyValue(ROUTE, name(suspect.route()))
              .addKeyValue(ID, suspect.id())
              .log("reset to waiting"));
    }
  }

  /** A warning only (CH-28). */
  @Override
  public void gone(List<ClaimedMessage> messages) {
    LOG.atWarn()
        .addKeyValue(COUNT, messages.size())
        .addKeyValue(FIRST, first(messages, claimed -> claimed.message().id().value()))
        .log("fired messages were gone when they were to be deleted: another node has fired them");
    each(messages, "gone before deletion");
  }

  @Override
  public void repositioned(RouteId route, int partition) {
    LOG.atInfo()
        .addKeyValue(ROUTE, name(route))
        .addKeyValue("partition", partition)
        .log("reading an input partition again from the stored position");
  }

  private String name(RouteId route) {
    return routeNames.getOrDefault(route, Integer.toString(route.value()));
  }

  private void each(List<ClaimedMessage> messages, String what) {
    if (LOG.isDebugEnabled()) {
      messages.forEach(claimed ->
          LOG.atDebug()
              .addKeyValue(ROUTE, name(claimed.message().route()))
              .addKeyValue(ID, claimed.message().id())
              .log(what));
    }
  }

  private static <T> String first(List<T> all, Function<T, String> id) {
    String shown = all.stream().limit(IDS_SHOWN).map(id).collect(Collectors.joining(", "));
    return all.size() > IDS_SHOWN ? shown + ", ..." : shown;
  }
}
