@NullMarked
package io.kairos.server.push;

import org.jspecify.annotations.NullMarked;
