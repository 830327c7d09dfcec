package io.kairos.deploy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.StreamSupport;

/** An image in the layout of the Open Container Initiative. Every blob that is read is checked. */
record OciLayout(Path folder) {
  private static final JsonMapper JSON = new JsonMapper();

  /** The manifest of the only image. */
  JsonNode manifest() throws Exception {
    assertThat(
            JSON.readTree(folder.resolve("oci-layout").toFile())
                .path("imageLayoutVersion")
                .asText())
        .isEqualTo("1.0.0");
    JsonNode index = JSON.readTree(folder.resolve("index.json").toFile());
    assertThat(index.path("manifests")).hasSize(1);
    return JSON.readTree(blob(index.path("manifests").path(0)).toFile());
  }

  /** What the image says about its process. */
  JsonNode config() throws Exception {
    return JSON.readTree(blob(manifest().path("config")).toFile()).path("config");
  }

  List<Path> layers() throws Exception {
    return StreamSupport.stream(manifest().path("layers").spliterator(), false)
        .map(this::blob)
        .toList();
  }

  /** Unpacks the image, as its owners, into an empty folder. */
  void unpack(Path root) throws Exception {
    Files.createDirectories(root);
    for (Path layer : layers()) {
      Command.run("tar", "-C", root.toString(), "--same-owner", "-xpzf", layer.toString());
    }
  }

  private Path blob(JsonNode descriptor) {
    String digest = descriptor.path("digest").asText();
    Path blob = folder.resolve("blobs").resolve(digest.replace(':', '/'));
    try (InputStream in = Files.newInputStream(blob);
        DigestInputStream read = new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
      assertThat(read.transferTo(OutputStream.nullOutputStream()))
          .isEqualTo(descriptor.path("size").asLong());
      assertThat("sha256:" + HexFormat.of().formatHex(read.getMessageDigest().digest()))
          .isEqualTo(digest);
      return requireNonNull(blob);
    } catch (Exception e) {
      throw new IllegalStateException("cannot read " + digest, e);
    }
  }
}
