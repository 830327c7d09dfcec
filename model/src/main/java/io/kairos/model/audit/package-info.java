/** The model of the store of the audit log. */
@NullMarked
package io.kairos.model.audit;

import org.jspecify.annotations.NullMarked;
