/**
 * Tests whether users' modules are deterministic: replicas execute one log in JVMs that differ in
 * everything that must not matter, and must end in equal states.
 */
@NullMarked
package io.kairos.model.replay;

import org.jspecify.annotations.NullMarked;
