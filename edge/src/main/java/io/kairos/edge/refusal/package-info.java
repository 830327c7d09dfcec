/** Refusals of calls, by gRPC and by REST. */
@NullMarked
package io.kairos.edge.refusal;

import org.jspecify.annotations.NullMarked;
