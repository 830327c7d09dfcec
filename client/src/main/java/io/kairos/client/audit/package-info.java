/** The audit log: who has changed what, and who was refused. */
@NullMarked
package io.kairos.client.audit;

import org.jspecify.annotations.NullMarked;
