package io.kairos.edge.route;

import io.kairos.api.v1.GetDeadLetterRequest;
import io.kairos.api.v1.ListDeadLettersRequest;
import io.kairos.api.v1.RepublishDeadLetterRequest;
import io.kairos.api.v1.RepublishDeadLetterRequest.Correction;
import io.kairos.api.v1.Topic;
import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.edge.call.PayloadBytes;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.task.RequestFields;
import io.kairos.engine.delay.letter.LetterCorrection;
import io.kairos.engine.delay.letter.LetterQuery;
import io.kairos.engine.delay.letter.RecordPlace;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads requests about dead letters. */
final class RouteRequests {
  private static final int USUAL_PAGE = 50;
  private static final int LARGEST_PAGE = 100;
  private static final int LONGEST_VALUE = 4_096;
  private static final int LONGEST_TEXT = 256;
  private static final int MOST_HEADERS = 100;

  private RouteRequests() {}

  static LetterQuery query(ListDeadLettersRequest request) {
    route(request.getRoute());
    int size = request.getPageSize();
    InvalidField.require(size >= 0 && size <= LARGEST_PAGE, "page_size", "must be 1 to 100");
    InvalidField.require(
        request.getReason().length() <= LONGEST_TEXT, "reason", "must be at most 256 characters");
    InvalidField.require(
        request.getFingerprint().length() <= LONGEST_TEXT,
        "fingerprint",
        "must be at most 256 characters");
    return new LetterQuery(
        LetterToken.read(request),
        size == 0 ? USUAL_PAGE : size,
        request.getReason(),
        request.getFingerprint(),
        valueBytes(request.getMaxValueBytes()));
  }

  static int valueBytes(int asked) {
    InvalidField.require(
        asked >= 0 && asked <= LONGEST_VALUE, "max_value_bytes", "must be 0 to 4,096");
    return asked;
  }

  private static void route(String name) {
    InvalidField.require(!name.isEmpty(), "route", "must be the name of a route");
  }

  static RecordPlace place(GetDeadLetterRequest request) {
    return place(request.getRoute(), request.getPartition(), request.getOffset());
  }

  static RecordPlace place(RepublishDeadLetterRequest request) {
    return place(request.getRoute(), request.getPartition(), request.getOffset());
  }

  private static RecordPlace place(String route, int partition, long offset) {
    route(route);
    InvalidField.require(partition >= 0, "partition", "must not be negative");
    InvalidField.require(offset >= 0, "offset", "must not be negative");
    return new RecordPlace(partition, offset);
  }

  static LetterCorrection correction(RepublishDeadLetterRequest request) {
    if (!request.hasCorrection()) {
      return LetterCorrection.NONE;
    }
    Correction given = request.getCorrection();
    return InvalidField.within(
        "correction",
        () ->
            new LetterCorrection(
                given.hasRunAt()
                    ? Optional.of(RequestFields.instant("run_at", given.getRunAt()))
                    : Optional.empty(),
                given.hasValue()
                    ? Optional.of(PayloadBytes.in(given.getValue()))
                    : Optional.empty(),
                headers(given.getHeadersList()),
                removed(given.getRemoveHeadersList())));
  }

  private static List<MessageHeader> headers(List<Topic.Header> given) {
    InvalidField.require(given.size() <= MOST_HEADERS, "headers", "must be at most 100");
    return InvalidField.readingAll(
        "headers",
        given,
        header ->
            new MessageHeader(name("name", header.getName()), PayloadBytes.in(header.getValue())));
  }

  private static Set<String> removed(List<String> given) {
    InvalidField.require(given.size() <= MOST_HEADERS, "remove_headers", "must be at most 100");
    given.forEach(name -> name("remove_headers", name));
    return Set.copyOf(given);
  }

  private static String name(String field, String name) {
    InvalidField.require(
        !name.isEmpty() && name.length() <= LONGEST_TEXT, field, "must have 1 to 256 characters");
    InvalidField.require(
        !ControlHeaders.isWritten(name), field, "is a header that only Kairos writes");
    return name;
  }
}
