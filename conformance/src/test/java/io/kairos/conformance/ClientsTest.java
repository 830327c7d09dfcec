package io.kairos.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.contracts.certificate.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests of the clients in Python and TypeScript, in their own languages, on real nodes. */
class ClientsTest {
  private static final String TOKEN = "clients-secret-token";

  @TempDir static Path folder;

  private static RealNode secured;

  @BeforeAll
  static void start() throws Exception {
    TestCertificate authority = TestCertificate.authority("clients");
    authority.writeCertificate(folder.resolve("authority.crt"));
    TestCertificate client = authority.sign("client", "dns:client.example");
    client.writeCertificate(folder.resolve("client.crt"));
    client.writeKey(folder.resolve("client.key"));
    TestCertificate node = TestCertificate.selfSigned("node", "ip:127.0.0.1");
    node.writeCertificate(folder.resolve("node.crt"));
    node.writeKey(folder.resolve("node.key"));
    Files.writeString(folder.resolve("token"), TOKEN + "\n");
    secured =
        new RealNode(
            Map.of(
                "http.tls.certificate",
                folder.resolve("node.crt").toString(),
                "http.tls.key",
                folder.resolve("node.key").toString(),
                "http.tls.client-ca",
                folder.resolve("authority.crt").toString(),
                "http.callers.app.roles",
                "submit,read,worker",
                "http.callers.app.token-sha256",
                HexFormat.of()
                    .formatHex(
                        MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(UTF_8)))));
  }

  @AfterAll
  static void stop() {
    if (secured != null) {
      secured.close();
    }
  }

  private static Map<String, String> nodes() {
    return Map.of(
        "KAIROS_ADDRESS",
        RealNode.shared().address(),
        "TLS_ADDRESS",
        secured.address(),
        "TLS_FOLDER",
        folder.toString(),
        "PYTHONDONTWRITEBYTECODE",
        "1");
  }

  @Test
  void the_client_in_python_passes_its_tests() {
    Path tests = Path.of("../clients/python/tests/test_client.py").toAbsolutePath();

    Programs.run(
        folder,
        nodes(),
        List.of(PythonPackage.installed().python().toString(), "-W", "error", tests.toString()));
  }

  @Test
  void the_client_in_typescript_passes_its_tests() throws IOException {
    Path tests =
        NpmPackage.installed().program(Path.of("../clients/typescript/test/client.test.mjs"));

    Programs.run(folder, nodes(), List.of("node", "--test", tests.toString()));
  }
}
