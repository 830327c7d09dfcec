/**
 * What the process of a replica is made of beside its log and its machine: what it ticks for, which
 * modules it has, how it knows the others, and what it says of itself.
 */
@NullMarked
package io.kairos.server.replica;

import org.jspecify.annotations.NullMarked;
