/**
 * Configuration: values from a YAML file, the environment and flags, in rising order, asked for one
 * by one by typed records that check themselves. What nobody asked for is unknown and refuses to
 * start.
 */
@NullMarked
package io.kairos.server.config;

import org.jspecify.annotations.NullMarked;
