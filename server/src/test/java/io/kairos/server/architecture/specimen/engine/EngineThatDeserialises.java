package io.kairos.server.architecture.specimen.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import org.jspecify.annotations.Nullable;

/** Must break: nothing is deserialised. */
public final class EngineThatDeserialises {
  @Nullable Object read(InputStream in) throws IOException, ClassNotFoundException {
    return new ObjectInputStream(in).readObject();
  }
}
