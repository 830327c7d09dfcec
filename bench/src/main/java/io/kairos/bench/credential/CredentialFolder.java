package io.kairos.bench.credential;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The files with credentials of nodes and callers. Thread-safe as long as each file has one writer.
 */
record CredentialFolder(Path folder) {
  static final String NODE_CERTIFICATE = "tls.crt";
  static final String NODE_KEY = "tls.key";

  /** Whom callers trust. */
  static final String NODE_AUTHORITIES = "ca.crt";

  static final String CALLER_CERTIFICATE = "client.crt";
  static final String CALLER_KEY = "client.key";

  /** Whom nodes trust. */
  static final String CALLER_AUTHORITIES = "client-ca.crt";

  /** Hashes of tokens, for nodes. */
  static final String TOKENS = "tokens";

  static final String SUBMITTER_TOKEN = "submitter.token";
  static final String WORKER_TOKEN = "worker.token";
  static final String POOL_KEYS = "pool-keys";

  Path path(String name) {
    return folder.resolve(name).toAbsolutePath();
  }

  /** Writes a file beside the old one and renames it, as docs/operations.md asks for. */
  void replace(String name, String content) {
    try {
      Path beside = Files.createTempFile(folder, name, ".new"); // readable for its user alone
      Files.writeString(beside, content);
      Files.move(beside, path(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot replace " + path(name), e);
    }
  }

  /** Writes into a file in place, as an operator should not. */
  void spoil(String name, String content) {
    try {
      Files.writeString(path(name), content);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + path(name), e);
    }
  }

  void remove(String name) {
    try {
      Files.delete(path(name));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + path(name), e);
    }
  }
}
