/** Settings, ports, routes and listeners of a delay node. */
@NullMarked
package io.kairos.engine.delay.setup;

import org.jspecify.annotations.NullMarked;
