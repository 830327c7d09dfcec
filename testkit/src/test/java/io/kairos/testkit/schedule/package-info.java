@NullMarked
package io.kairos.testkit.schedule;

import org.jspecify.annotations.NullMarked;
