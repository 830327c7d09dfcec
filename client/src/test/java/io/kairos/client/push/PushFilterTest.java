package io.kairos.client.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.push.PushHeaders;
import io.kairos.client.time.ManualTime;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The filter in a real container. */
class PushFilterTest {
  private final Tomcat tomcat = new Tomcat();
  private final List<String> received = new CopyOnWriteArrayList<>();
  @TempDir Path folder = Path.of(".");
  private URI address = URI.create("http://127.0.0.1");

  @BeforeEach
  void start() throws Exception {
    tomcat.setSilent(true);
    tomcat.setBaseDir(folder.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    StandardContext context = (StandardContext) tomcat.addContext("", folder.toString());
    // Looking for leaks would need more of the virtual machine than tests have.
    context.setClearReferencesThreadLocals(false);
    context.setClearReferencesRmiTargets(false);
    FilterDef filter = new FilterDef();
    filter.setFilterName("push");
    filter.setFilter(
        new PushFilter(
            WebhookVerifier.of(new ManualTime(), Signed.SECRET), new RecentExecutions(10), 100));
    filter.setAsyncSupported("true");
    context.addFilterDef(filter);
    FilterMap everywhere = new FilterMap();
    everywhere.setFilterName("push");
    everywhere.addURLPattern("/*");
    context.addFilterMap(everywhere);
    Tomcat.addServlet(context, "jobs", new Jobs()).setAsyncSupported(true);
    context.addServletMappingDecoded("/jobs", "jobs");
    tomcat.start();
    address = URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/jobs");
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }

  /** Does what the body says. */
  private final class Jobs extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String text = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      received.add(PushFilter.push(request).executionId() + " " + text);
      switch (text) {
        case "async" -> {
          AsyncContext async = request.startAsync();
          async.start(() -> {
            ((HttpServletResponse) async.getResponse()).setStatus(204);
            async.complete();
          });
        }
        case "later" -> {
          response.setStatus(202);
          response.setHeader(PushHeaders.COMPLETION, PushHeaders.LATER);
        }
        case "broken" -> response.setStatus(500);
        default -> response.setStatus(204);
      }
    }
  }

  @Test
  void ph33_a_repeat_does_not_reach_the_servlet() throws Exception {
    assertThat(Signed.post(address, "e-1", "work").statusCode()).isEqualTo(204);

    HttpResponse<String> repeat = Signed.post(address, "e-1", "work");

    assertThat(repeat.statusCode()).isEqualTo(200);
    assertThat(repeat.headers().firstValue(PushHeaders.DUPLICATE)).contains("true");
    assertThat(received).containsExactly("e-1 work");
  }

  @Test
  void ph33_a_repeat_of_an_asynchronous_one_does_not_reach_the_servlet() throws Exception {
    assertThat(Signed.post(address, "e-1", "async").statusCode()).isEqualTo(204);

    assertThat(Signed.post(address, "e-1", "async").statusCode()).isIn(200, 409);
    assertThat(received).containsExactly("e-1 async");
  }

  @Test
  void what_failed_or_ends_later_comes_again() throws Exception {
    Signed.post(address, "e-1", "broken");
    Signed.post(address, "e-2", "later");

    assertThat(Signed.post(address, "e-1", "broken").statusCode()).isEqualTo(500);
    assertThat(Signed.post(address, "e-2", "later").statusCode()).isEqualTo(202);
    assertThat(received).hasSize(4);
  }

  @Test
  void what_is_not_signed_or_too_large_does_not_reach_the_servlet() throws Exception {
    byte[] body = {1};

    assertThat(
            Signed.post(address, Signed.headers(Signed.OTHER, "e-1", Signed.NOW, body), body)
                .statusCode())
        .isEqualTo(401);
    assertThat(Signed.post(address, "e-1", "x".repeat(101)).statusCode()).isEqualTo(413);
    assertThat(received).isEmpty();
  }
}
