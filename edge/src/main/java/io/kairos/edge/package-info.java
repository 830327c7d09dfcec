/**
 * The API of a process, by gRPC and REST on one port, with access rules and refusals. Depends on no
 * adapter.
 */
@NullMarked
package io.kairos.edge;

import org.jspecify.annotations.NullMarked;
