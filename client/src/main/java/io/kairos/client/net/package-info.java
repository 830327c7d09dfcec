/** How nodes are reached: one channel each, in turn, those that failed lately last. */
@NullMarked
package io.kairos.client.net;

import org.jspecify.annotations.NullMarked;
