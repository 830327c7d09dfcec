/** Access control: callers, roles, and the gate that every call passes. */
@NullMarked
package io.kairos.edge.access;

import org.jspecify.annotations.NullMarked;
