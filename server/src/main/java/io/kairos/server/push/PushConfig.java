package io.kairos.server.push;

import io.kairos.domain.pool.AllowList;
import java.time.Duration;

/**
 * How a node pushes.
 *
 * @param allowed where to
 * @param maxBytes of requests under way, over all pools; one pool may have as much of it as is free
 * @param connectTimeout after which another endpoint is tried
 * @param dnsTtl for how long an answer of DNS is believed at most
 */
public record PushConfig(
    AllowList allowed, long maxBytes, Duration connectTimeout, Duration dnsTtl) {}
