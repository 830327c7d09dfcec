/** The store of the audit log, and its statements. */
@NullMarked
package io.kairos.postgres.audit;

import org.jspecify.annotations.NullMarked;
