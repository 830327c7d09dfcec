package io.kairos.edge.cron;

import static io.kairos.edge.task.RequestFields.pageSize;

import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.ListCronEntriesRequest;
import io.kairos.api.v1.ListCronEntriesResponse;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.EntryFailure;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.task.RequestFields;
import io.kairos.engine.cron.entry.EntryState;
import io.kairos.engine.cron.entry.TableSettings;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A page of the list of entries, which is ordered by component and position.
 *
 * @param only the component whose entries are listed; null for all
 * @param from the first component of the page
 * @param after the page begins behind this position of {@code from}
 * @param size most entries on the page
 */
record EntryPage(@Nullable ComponentId only, ComponentId from, int after, int size) {
  private static final int BEFORE_ALL = -1;

  /** A page token: component and position of the last entry of the page before. */
  private static final Pattern TOKEN = Pattern.compile("(\\d{1,10})-(\\d{1,6})");

  /** Reads the page that a request asks for. Throws {@link InvalidField}. */
  static EntryPage of(ListCronEntriesRequest request) {
    ComponentId only =
        request.hasComponent()
            ? EntryRequests.component("component", request.getComponent())
            : null;
    int size = pageSize(request.getPageSize());
    if (request.getPageToken().isEmpty()) {
      return new EntryPage(only, only == null ? new ComponentId(0) : only, BEFORE_ALL, size);
    }
    Matcher token = TOKEN.matcher(request.getPageToken());
    if (token.matches()) {
      ComponentId from =
          EntryRequests.component("page_token", Long.parseLong(String.valueOf(token.group(1))));
      if (only == null || only.equals(from)) {
        return new EntryPage(only, from, Integer.parseInt(String.valueOf(token.group(2))), size);
      }
    }
    throw new InvalidField("page_token", "must come from the answer to the same question");
  }

  /** Writes the page; it ends early at the size that clients accept. Called on the log's thread. */
  ListCronEntriesResponse read(ReplicaView replica) {
    if (only != null) {
      replica.requireTable(only);
    }
    ListCronEntriesResponse.Builder answer = ListCronEntriesResponse.newBuilder();
    int bytes = 0;
    for (TableSettings table : replica.book().tables()) {
      ComponentId component = table.component();
      if (isListed(component)) {
        Map<Integer, EntryFailure> failures = replica.failures(component);
        int behind = component.equals(from) ? after : BEFORE_ALL;
        int wanted = size + 1 - answer.getEntriesCount();
        for (EntryState entry : replica.book().entries(component, behind, wanted)) {
          int count = answer.getEntriesCount();
          if (count == size || bytes > RequestFields.MOST_BYTES) {
            CronEntry last = answer.getEntries(count - 1);
            return answer.setNextPageToken(last.getComponent() + "-" + last.getPosition()).build();
          }
          CronEntry one = EntryAnswers.entry(entry, failures);
          bytes += one.getSerializedSize();
          answer.addEntries(one);
        }
      }
    }
    return answer.build();
  }

  private boolean isListed(ComponentId component) {
    return only == null ? component.compareTo(from) >= 0 : component.equals(only);
  }
}
