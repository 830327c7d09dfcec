/**
 * Configuration from a YAML file, the environment and flags, of which the later ones win. Typed
 * records read and check the values. An unknown key prevents the start.
 */
@NullMarked
package io.kairos.server.config;

import org.jspecify.annotations.NullMarked;
