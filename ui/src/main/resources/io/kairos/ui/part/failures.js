// Groups of failed tasks, with the reason and the button that runs them again.
import { call, may, serverTime } from '../api.js';
import { askForAll } from '../bulk.js';
import { KElement, html, nothing } from '../element.js';
import { count, counted, message, number, plain } from '../format.js';
import { href } from '../link.js';
import { handlerLink, taskLink } from './basic.js';
import './bars.js';

/**
 * @typedef {object} Group a FailureGroup of the API
 * @property {string} handler
 * @property {string} [fingerprint]
 * @property {string} [errorClass]
 * @property {string} [error]
 * @property {string} count
 * @property {string} [firstEndedAt]
 * @property {string} [lastEndedAt]
 * @property {string[]} [samples]
 * @property {string[]} [byHour]
 */

/**
 * The minute so many hours ago, RFC 3339: all who look within a minute ask for the same groups, and share the answer.
 *
 * @param {number} hours
 */
export function minuteAgo(hours) {
  return new Date(Math.floor(serverTime() / 60_000 - hours * 60) * 60_000).toISOString();
}

/**
 * Loads groups.
 *
 * @param {{handler?: string, since?: string}} which since: the earliest end, RFC 3339
 * @param {AbortSignal} signal
 * @returns {Promise<{groups: Group[], incomplete: boolean, since: string}>}
 */
export async function loadGroups({ handler = '', since = '' }, signal) {
  const answer = await call('GET', '/v1/failureGroups', { params: { handler, endedNotBefore: since }, signal });
  return { groups: answer.groups ?? [], incomplete: answer.incomplete === true, since };
}

/** A table of groups. It sends `changed` when tasks were put back. */
class FailureTableElement extends KElement {
  static properties = { groups: { attribute: false }, since: {}, handler: {}, short: { type: Boolean } };

  constructor() {
    super();
    /** @type {Group[]} */
    this.groups = [];
    /** The start of the time that the groups are of; the buttons act on tasks that ended since then. */
    this.since = '';
    /** The handler whose groups they are; empty for all handlers. */
    this.handler = '';
    /** True for the table of the overview. */
    this.short = false;
  }

  /** @param {Group} group */
  async redrive(group) {
    /** @type {Record<string, unknown>} */
    const filter = { handler: group.handler, errorFingerprint: group.fingerprint };
    if (this.since) filter.endedNotBefore = this.since;
    const what = `with this error: ${plain(group.errorClass || group.error).slice(0, 120)}`;
    if (await askForAll({ verb: 'redrive', filter, which: `of handler ${plain(group.handler)} ${what}` }))
      this.dispatchEvent(new Event('changed'));
  }

  /** @param {Group} group */
  renderGroup(group) {
    const hours = (group.byHour ?? []).map(number);
    const tasks = href('tasks', {
      state: ['DEAD', 'FAILED'],
      handler: group.handler,
      fingerprint: group.fingerprint,
      class: group.fingerprint ? '' : group.errorClass,
      endedFrom: this.since,
    });
    const bars = hours.map((value, at) => ({ label: `${count(value)} ${hoursAgo(hours.length - 1 - at)}`, values: [value] }));
    return html`<tr>
      ${this.handler ? nothing : html`<td data-label="Handler" class="name">${handlerLink(group.handler)}</td>`}
      <td data-label="Why" class="wide">
        <div>
          ${group.errorClass ? html`<strong><bdi>${plain(group.errorClass)}</bdi></strong>` : nothing}
          <span class="clip" title=${plain(group.error).slice(0, 2000)}><bdi>${message(group.error, group.errorClass) || 'no error text'}</bdi></span>
          ${this.short || !group.samples?.length
            ? nothing
            : html`<span class="sub">Latest: ${group.samples.map((id) => html`${taskLink(id)} `)}</span>`}
        </div>
      </td>
      <td data-label="Tasks" class="num"><a href=${tasks}>${count(group.count)}</a></td>
      <td data-label="Last 24 h" class="maybe">
        ${bars.length
          ? html`<k-bars low kind="bad" .bars=${bars} .what=${`Failures by hour, the last 24 hours: ${hours.join(', ')}`}></k-bars>`
          : nothing}
      </td>
      <td data-label="Last"><k-time .value=${group.lastEndedAt}></k-time></td>
      <td>
        ${!group.fingerprint
          ? // No filter of the API finds just those without a fingerprint, so they are put back from the list, one by one.
            html`<a class="button small" href=${tasks}>List<span class="unseen"> the tasks of ${plain(group.handler)}</span></a>`
          : may('HandlerService/Redrive')
            ? html`<button type="button" class="small" @click=${() => this.redrive(group)}>
                Run again…<span class="unseen"> ${counted(group.count, 'task')} of ${plain(group.handler)}</span>
              </button>`
            : nothing}
      </td>
    </tr>`;
  }

  render() {
    return html`<table class="fold">
      <thead>
        <tr>
          ${this.handler ? nothing : html`<th scope="col">Handler</th>`}
          <th scope="col">Why</th>
          <th scope="col" class="num">Tasks</th>
          <th scope="col">Last 24 h</th>
          <th scope="col">Last</th>
          <th scope="col"><span class="unseen">Action</span></th>
        </tr>
      </thead>
      <tbody>
        ${this.groups.map((group) => this.renderGroup(group))}
      </tbody>
    </table>`;
  }
}
customElements.define('k-failure-table', FailureTableElement);

/** @param {number} hours */
function hoursAgo(hours) {
  return hours === 0 ? 'in the last hour' : `${hours} to ${hours + 1} h ago`;
}
