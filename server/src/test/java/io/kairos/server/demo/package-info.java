@NullMarked
package io.kairos.server.demo;

import org.jspecify.annotations.NullMarked;
