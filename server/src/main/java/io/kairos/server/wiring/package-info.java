/**
 * The one package that constructs adapters and reads the system's clock; the main class is here.
 */
@NullMarked
package io.kairos.server.wiring;

import org.jspecify.annotations.NullMarked;
