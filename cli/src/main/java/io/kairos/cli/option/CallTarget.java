package io.kairos.cli.option;

import io.kairos.cli.context.CallCertificates;
import io.kairos.cli.text.OutputFormat;

/**
 * Where a call goes, with which token and certificates, and how its answer is printed, each with
 * its source.
 *
 * @param address {@code host:port,...}; empty when the context has none
 */
public record CallTarget(
    Sourced<String> address,
    CallToken token,
    Sourced<CallCertificates> certificates,
    Sourced<OutputFormat> output) {}
