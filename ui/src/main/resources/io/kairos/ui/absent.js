// Parts of the API that a node does not have, such as one of an earlier version.
import { ApiError } from './api.js';
import { html } from './element.js';
import { pending } from './part/basic.js';

/** @param {unknown} error of a call whose path names no object @returns {boolean} true when the node does not have the method */
export function isAbsent(error) {
  return error instanceof ApiError && (error.status === 404 || error.status === 501);
}

/**
 * What stands in the place of an answer, also when this node will never have one.
 *
 * @param {import('./live.js').Poll<any>} poll
 * @param {string} what the node cannot tell, such as "its workers"
 */
export function pendingOrAbsent(poll, what) {
  return isAbsent(poll.error) ? html`<p class="note">This node does not tell ${what}.</p>` : pending(poll);
}
