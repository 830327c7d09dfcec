package io.kairos.server.replica;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Writes a file as a whole or not at all, even when the power fails meanwhile. */
@FunctionalInterface
public interface FileWriting {
  void write(Path file, ByteBuffer content) throws IOException;
}
