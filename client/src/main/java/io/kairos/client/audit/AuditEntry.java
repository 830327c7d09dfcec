package io.kairos.client.audit;

import java.time.Instant;

/**
 * An entry of the audit log: a call that changes something, or was refused.
 *
 * @param number number of the entry; later entries have higher numbers
 * @param time when the call began, by the store's clock
 * @param caller name of the caller; empty where no callers are configured, and for an unknown token
 * @param address address from which the call came; empty in an entry for calls of several addresses
 * @param action method, such as {@code SetPause}; empty in an entry for several calls
 * @param kind kind of the object, such as {@code handler}; empty when the request was not read
 * @param object name or id of the object; empty when the request was not read
 * @param detail the part of the object that the call is about, such as {@code collection=eu}; empty
 *     for the whole
 * @param outcome code of gRPC by which the call was answered, such as {@code OK} or {@code
 *     PERMISSION_DENIED}; {@code BEGUN} when the end of the call is not known
 * @param more number of further refusals that this entry stands for; 0 for an entry of one call
 */
public record AuditEntry(
    long number,
    Instant time,
    String caller,
    String address,
    String action,
    String kind,
    String object,
    String detail,
    String outcome,
    long more) {}
