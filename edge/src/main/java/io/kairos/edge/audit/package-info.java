/** What of the calls goes into the audit log, and the call that shows it. */
@NullMarked
package io.kairos.edge.audit;

import org.jspecify.annotations.NullMarked;
