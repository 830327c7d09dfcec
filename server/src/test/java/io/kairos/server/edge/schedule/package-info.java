/** Tests of what is said about schedules. */
@NullMarked
package io.kairos.server.edge.schedule;

import org.jspecify.annotations.NullMarked;
