@org.jspecify.annotations.NullMarked
package io.kairos.fuzzing;
