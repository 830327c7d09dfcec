/**
 * Executors that are processes of their own, in any language: the controller on the worker's host.
 */
@NullMarked
package io.kairos.client.process;

import org.jspecify.annotations.NullMarked;
