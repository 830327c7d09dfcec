@NullMarked
package io.kairos.server.config;

import org.jspecify.annotations.NullMarked;
