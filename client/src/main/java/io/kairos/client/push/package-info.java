/**
 * Receives tasks that nodes push by HTTP: verifies signatures and suppresses repeats. {@link
 * io.kairos.client.push.PushHandler} is for the HTTP server of the JDK, {@link
 * io.kairos.client.push.PushFilter} for servlets, {@link io.kairos.client.push.WebhookVerifier} and
 * {@link io.kairos.client.push.RecentExecutions} are for all others; {@link
 * io.kairos.client.push.StoredExecutions} makes an effect in a database happen once.
 */
@NullMarked
package io.kairos.client.push;

import org.jspecify.annotations.NullMarked;
