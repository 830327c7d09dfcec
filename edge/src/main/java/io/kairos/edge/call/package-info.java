/** Parts that all calls share: payloads, page tokens, replies, and the node behind them. */
@NullMarked
package io.kairos.edge.call;

import org.jspecify.annotations.NullMarked;
