/**
 * What a node tells about itself: metrics, logs and the state of its loops. Listeners and steps;
 * nothing here touches a message's payload.
 */
@NullMarked
package io.kairos.server.observe;

import org.jspecify.annotations.NullMarked;
