@NullMarked
package io.kairos.server.edge.cron;

import org.jspecify.annotations.NullMarked;
