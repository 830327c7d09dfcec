package io.kairos.client;

import io.kairos.client.time.ClientTime;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How the calls of a client are made.
 *
 * @param attempts maximum number of attempts of a call
 * @param timeout of one attempt
 */
record CallTerms(int attempts, Duration timeout, ClientTime time, RandomGenerator chance) {}
