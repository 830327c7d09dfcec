@NullMarked
package io.kairos.server.observe;

import org.jspecify.annotations.NullMarked;
