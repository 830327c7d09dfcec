/** What a hostile replica makes of the hashgraph's events and messages, which only it may forge. */
@NullMarked
package io.kairos.hashgraph;

import org.jspecify.annotations.NullMarked;
