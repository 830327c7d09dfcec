/** All nodes together: who they are, and what is wrong. */
@NullMarked
package io.kairos.client.cluster;

import org.jspecify.annotations.NullMarked;
