/** The audit log: who has called what that changes something, or was refused. */
@NullMarked
package io.kairos.engine.audit;

import org.jspecify.annotations.NullMarked;
