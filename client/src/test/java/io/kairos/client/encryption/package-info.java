@org.jspecify.annotations.NullMarked
package io.kairos.client.encryption;
