/** The running node. Only {@code io.kairos.server.wiring} constructs adapters. */
@NullMarked
package io.kairos.server;

import org.jspecify.annotations.NullMarked;
