package io.kairos.edge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pages {@code /healthz} and {@code /readyz}: 200 or 503, with the reasons. Called by the
 * edge's threads.
 */
record StatusPages(ProcessView process) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String READY = "ready";

  HttpResponse health() {
    List<String> ailments = process.ailments();
    return answer(verdict("healthy", ailments), ailments);
  }

  /**
   * The readiness of the process, or of one of its doors. A process is ready while a door is closed
   * for reasons of its own: a load balancer must not take a node out that does its other work.
   *
   * @param door null for the process
   */
  HttpResponse readiness(@Nullable String door) {
    List<String> reasons = process.obstacles();
    Map<String, List<String>> doors = process.doors();
    if (door == null) {
      Map<String, Object> body = verdict(READY, reasons);
      if (!doors.isEmpty()) {
        Map<String, Object> states = new LinkedHashMap<>();
        doors.forEach((name, own) -> states.put(name, verdict(READY, joined(reasons, own))));
        body.put("doors", states);
      }
      body.putAll(process.details());
      return answer(body, reasons);
    }
    List<String> own = doors.get(door);
    if (own == null) {
      List<String> unknown = List.of("there is no such door here, only " + doors.keySet());
      return answer(HttpStatus.NOT_FOUND, verdict(READY, unknown));
    }
    List<String> all = joined(reasons, own);
    return answer(verdict(READY, all), all);
  }

  private static List<String> joined(List<String> reasons, List<String> more) {
    List<String> all = new ArrayList<>(reasons);
    all.addAll(more);
    return all;
  }

  private static Map<String, Object> verdict(String word, List<String> reasons) {
    Map<String, Object> verdict = new LinkedHashMap<>();
    verdict.put(word, reasons.isEmpty());
    verdict.put("reasons", reasons);
    return verdict;
  }

  private static HttpResponse answer(Map<String, Object> body, List<String> reasons) {
    return answer(reasons.isEmpty() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE, body);
  }

  private static HttpResponse answer(HttpStatus status, Map<String, Object> body) {
    try {
      return HttpResponse.of(status, MediaType.JSON_UTF_8, JSON.writeValueAsString(body) + "\n");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts and numbers can be written: " + body.keySet(), e);
    }
  }
}
