package io.kairos.server.observe;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.Rejection;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.Output;
import io.kairos.domain.task.TopicName;
import io.kairos.engine.delay.DelayEvents;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.Suspect;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells an operator what a node decides. Nothing per message above DEBUG: many of a kind become one
 * event with their count and the first ids, an outage is told when it begins and when it is over.
 * Never shows payload. Called by every thread of the node.
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
  private final Outages outages;
  private final DeadLetterCounts deadLetters;

  public DelayLog(Map<RouteId, String> routeNames, Outages outages, DeadLetterCounts deadLetters) {
    this.routeNames = Map.copyOf(routeNames);
    this.outages = outages;
    this.deadLetters = deadLetters;
  }

  @Override
  public void deadLettered(RouteId route, Rejection.Reason reason) {
    deadLetters.add(name(route), reason);
  }

  @Override
  public void amended(AmendmentOutcome outcome) {
    LOG.atDebug().addKeyValue("outcome", outcome).log("amendment decided");
  }

  @Override
  public void publishFailed(Output output, int partition, String why) {
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

  /** A suspicion as well, unless the node has said that it stops: CH-32 asks for the ids. */
  @Override
  public void takenOver(NodeId from, boolean retired, List<Claimed> messages) {
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

  /** CH-32: one warning per suspect and pass. */
  @Override
  public void suspected(NodeId holder, List<Suspect> reset) {
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

  /** CH-28: a warning, nothing else. */
  @Override
  public void gone(List<Claimed> messages) {
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

  private void each(List<Claimed> messages, String what) {
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
