/**
 * Finds out whether modules of users are deterministic: one log, executed by replicas in JVMs that
 * differ in all that must not matter, has to leave the same state everywhere.
 */
@NullMarked
package io.kairos.model.replay;

import org.jspecify.annotations.NullMarked;
