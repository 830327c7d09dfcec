/** Traffic, arrivals and output of the demos. Their nodes are started by the commands. */
@NullMarked
package io.kairos.server.demo;

import org.jspecify.annotations.NullMarked;
