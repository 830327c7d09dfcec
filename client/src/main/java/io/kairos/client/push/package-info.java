/**
 * Receives what nodes push by HTTP: checks the signature and keeps repeats away. {@link
 * io.kairos.client.push.PushHandler} is for the HTTP server of the JDK, {@link
 * io.kairos.client.push.PushFilter} for servlets, {@link io.kairos.client.push.WebhookVerifier} and
 * {@link io.kairos.client.push.RecentExecutions} are for all others; {@link
 * io.kairos.client.push.StoredExecutions} makes an effect in a database happen once.
 */
@NullMarked
package io.kairos.client.push;

import org.jspecify.annotations.NullMarked;
