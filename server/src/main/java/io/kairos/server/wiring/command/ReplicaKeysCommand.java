package io.kairos.server.wiring.command;

import io.kairos.server.replica.HashgraphSettings;
import io.kairos.server.replica.SigningKeyPem;
import io.kairos.server.wiring.ExitCode;
import io.kairos.server.wiring.StartException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kairos replica keys}: makes the pair by which a replica signs what it tells others. */
@Command(
    name = "keys",
    mixinStandardHelpOptions = true,
    description = {
      "Makes a pair of keys of Ed25519, for a replica with replica.log: hashgraph.",
      "Run it on the machine of that replica, so that the private key never leaves it, and as the user of the replica, such as by \"sudo -u kairos\": FILE gets the private key, which only its owner may read, and FILE.pub the public key. Files that exist are not touched."
    })
final class ReplicaKeysCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "FILE",
      description = "Where the private key is to be, such as /etc/kairos/replica-signing.key.")
  private Path file = Path.of("");

  @Override
  public Integer call() throws IOException {
    Path shown = file.resolveSibling(file.getFileName() + ".pub");
    if (Files.exists(shown)) {
      throw exists(shown);
    }
    KeyPair pair = SigningKeyPem.generate();
    write(file, SigningKeyPem.print(pair.getPrivate()), "rw-------");
    write(shown, SigningKeyPem.print(pair.getPublic()), "rw-r--r--");
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        """
        The private key is in %s: %s of this replica.
        The public key is in %s, and this is the line of it for %s of all replicas:
        %s
        """,
        file,
        HashgraphSettings.SIGNING_KEY,
        shown,
        HashgraphSettings.PUBLIC_KEYS,
        SigningKeyPem.line(pair.getPublic()));
    out.flush();
    return ExitCode.OK;
  }

  /** Creates the file with its rights, so that nobody else can read it at any moment. */
  private static void write(Path to, String text, String rights) throws IOException {
    FileAttribute<?> attribute =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights));
    try (SeekableByteChannel channel =
        Files.newByteChannel(
            to, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attribute)) {
      ByteBuffer bytes = StandardCharsets.US_ASCII.encode(text);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (FileAlreadyExistsException _) {
      throw exists(to);
    } catch (NoSuchFileException _) {
      throw new StartException("The folder of %s does not exist: make it first.".formatted(to));
    }
  }

  private static StartException exists(Path file) {
    return new StartException(
        "%s exists and is not overwritten: a replica that loses its key needs a new cluster. Name another file."
            .formatted(file));
  }
}
