/** Who the replicas of one state are, and how many of them may fail. */
@NullMarked
package io.kairos.domain.replica;

import org.jspecify.annotations.NullMarked;
