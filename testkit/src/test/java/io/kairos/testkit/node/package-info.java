/**
 * Production nodes on models and a clock that the test turns: one behaviour at a time. {@link
 * CrankedWorld} runs the steps that a test names, for what depends on their order; {@link
 * HandCrankedCluster} runs all steps of several nodes by their times, for what takes its time.
 */
@NullMarked
package io.kairos.testkit.node;

import org.jspecify.annotations.NullMarked;
