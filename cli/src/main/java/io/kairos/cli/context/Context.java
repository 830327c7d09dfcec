package io.kairos.cli.context;

import io.kairos.cli.text.OutputFormat;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Options that calls take from a context when they are left out. The token itself is never here.
 *
 * @param address nodes, {@code host:port,...}
 * @param cronAddress replicas of a replicated cron, {@code host:port,...}
 * @param tokenFile absolute path of a file with the API token
 */
public record Context(
    @Nullable String address,
    @Nullable String cronAddress,
    @Nullable Path tokenFile,
    @Nullable OutputFormat output) {}
