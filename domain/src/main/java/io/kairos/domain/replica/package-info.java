/** The replicas of one state, and how many of them may fail. */
@NullMarked
package io.kairos.domain.replica;

import org.jspecify.annotations.NullMarked;
