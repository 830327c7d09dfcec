package io.kairos.edge.ui;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.kairos.edge.access.CallBounds;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.rest.RestErrors;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;

/** Serves the files of the dashboard. They are read off the threads of the connections. */
final class DashboardPages implements HttpService {
  /** The beginning of all paths. */
  static final String HOME = "/ui/";

  private static final Pattern COMMA = Pattern.compile(",");
  private static final Pattern GZIP = Pattern.compile("(?i)\\s*(?:gzip|\\*)\\s*(?:;.*)?");
  private static final Pattern NEVER = Pattern.compile(".*;\\s*[qQ]=0(?:\\.0*)?\\s*");

  private final DashboardFiles files;

  DashboardPages(DashboardFiles files) {
    this.files = files;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    DashboardFile file = files.at(context.path().substring(HOME.length()));
    if (file == null) {
      return RestErrors.of(CallRefusals.of(Refusals.notFound("the dashboard has no such file")));
    }
    LongPredicate room = CallBounds.answerRoom();
    return HttpResponse.of(
        CompletableFuture.supplyAsync(
                file::content, context.blockingTaskExecutor().withoutContext())
            .thenApply(content -> answer(request.headers(), file, content, room)));
  }

  private static HttpResponse answer(
      RequestHeaders request,
      DashboardFile file,
      DashboardFile.Content content,
      LongPredicate room) {
    boolean compresses = takesGzip(request.get(HttpHeaderNames.ACCEPT_ENCODING, ""));
    HttpData data = content.data(compresses);
    boolean isKnown = names(request.get(HttpHeaderNames.IF_NONE_MATCH, ""), content.tag());
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(isKnown ? HttpStatus.NOT_MODIFIED : HttpStatus.OK)
            .set(HttpHeaderNames.ETAG, content.tag())
            .set(HttpHeaderNames.CACHE_CONTROL, "no-cache")
            .set(HttpHeaderNames.VARY, "accept-encoding");
    if (isKnown) {
      return HttpResponse.of(headers.build());
    }
    if (!room.test(data.length())) {
      return RestErrors.of(CallRefusals.of(Refusals.noBytesLeft()));
    }
    if (compresses) {
      headers.set(HttpHeaderNames.CONTENT_ENCODING, "gzip");
    }
    return HttpResponse.of(headers.contentType(file.type()).build(), data);
  }

  private static boolean takesGzip(String accepted) {
    return COMMA
        .splitAsStream(accepted)
        .anyMatch(each -> GZIP.matcher(each).matches() && !NEVER.matcher(each).matches());
  }

  private static boolean names(String wanted, String tag) {
    return Arrays.stream(wanted.split(",", -1))
        .map(String::strip)
        .anyMatch(each -> each.equals("*") || each.equals(tag) || ("W/" + each).equals(tag));
  }
}
