package io.kairos.edge.rest;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.encoding.StreamEncoderFactories;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.encoding.EncodingService;
import java.util.function.Function;

/**
 * What a GET has read, compressed by gzip for callers that take it: lists and figures, of which a
 * tenth remains. Not polls, whose payloads are in a hurry. It takes the connection's thread about 2
 * ms per 100 kB, so large answers stay as they are.
 */
final class ZippedAnswer {
  /** Shorter ones fit into one packet. */
  private static final int LEAST_BYTES = 1_024;

  private static final int MOST_BYTES = 512 << 10;

  private static final Function<? super HttpService, EncodingService> GZIP =
      EncodingService.builder()
          .encoderFactories(StreamEncoderFactories.GZIP)
          .encodableContentTypes(MediaType.JSON_UTF_8)
          .minBytesToForceChunkedEncoding(LEAST_BYTES)
          .newDecorator();

  private ZippedAnswer() {}

  /** An answer to the present request. */
  static HttpResponse of(ServiceRequestContext context, ResponseHeaders headers, HttpData body) {
    HttpResponse plain = HttpResponse.of(headers, body);
    if (context.method() != HttpMethod.GET || body.length() > MOST_BYTES) {
      return plain;
    }
    try {
      HttpService answered = (_, _) -> plain;
      return GZIP.apply(answered).serve(context, context.request());
    } catch (Exception e) {
      throw new IllegalStateException("the answer was made before", e);
    }
  }
}
