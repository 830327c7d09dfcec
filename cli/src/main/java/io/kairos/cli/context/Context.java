package io.kairos.cli.context;

import io.kairos.cli.text.OutputFormat;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Options that calls take from a context when they are left out. The token itself is never here.
 *
 * @param address nodes, {@code host:port,...} or {@code https://host:port,...}
 * @param cronAddress replicas of a replicated cron, {@code host:port,...}
 * @param tokenFile file with the API token, an absolute path or one that begins with {@code ~/}
 * @param certificates files of TLS
 */
public record Context(
    @Nullable String address,
    @Nullable String cronAddress,
    @Nullable Path tokenFile,
    CallCertificates certificates,
    @Nullable OutputFormat output) {}
