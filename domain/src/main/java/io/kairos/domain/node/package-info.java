/** The identity of a running node. */
@NullMarked
package io.kairos.domain.node;

import org.jspecify.annotations.NullMarked;
