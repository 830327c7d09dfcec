// The audit log: who has changed what, and who was refused.
import { call } from '../api.js';
import { Screen, html, nothing, searched } from '../element.js';
import { count, number, plain } from '../format.js';
import { go, href, search, segment } from '../link.js';
import { badge, pending } from '../part/basic.js';

/** @type {[string, string][]} */
const FIELDS = [
  ['caller', 'Caller'],
  ['action', 'Method, such as SetPause'],
  ['kind', 'Kind of object, such as handler'],
  ['object', 'Name or id of the object'],
  ['outcome', 'Outcome, such as OK'],
];
/** @type {Record<string, string>} */
const PATHS = { handler: 'handlers/', task: 'tasks/', schedule: 'schedules/' };

class AuditElement extends Screen {
  constructor() {
    super();
    this.entries = this.poll(
      10,
      (signal) => {
        /** @type {Record<string, unknown>} */
        const params = { notBefore: this.time('from'), before: this.time('to'), pageToken: this.params.get('page'), pageSize: 100 };
        for (const [name] of FIELDS) params[name] = this.params.get(name);
        return call('GET', '/v1/audit', { params, signal });
      },
      () => this.params.has('page'),
    );
  }

  /** @param {Event} event */
  submit(event) {
    event.preventDefault();
    go(href('audit', search(searched(/** @type {HTMLFormElement} */ (event.currentTarget), this.params))));
  }

  render() {
    const answer = this.entries.value;
    const entries = answer?.entries ?? [];
    return html`<div class="head"><h1>Audit log</h1></div>
      <p class="scope">
        Every call that changes something, and every refused call, the newest first. Submissions of tasks and calls of workers have no
        entries.
      </p>
      <form class="card search" @submit=${this.submit} aria-label="Search">
        <div class="filters">
          ${FIELDS.map(
            ([name, label], at) =>
              html`<label>${label}<input name=${name} ?data-search=${at === 0} autocomplete="off" spellcheck="false" /></label>`,
          )}
          <label>From<input name="from" type="datetime-local" /></label>
          <label>Before<input name="to" type="datetime-local" /></label>
          <div class="row">
            <button type="submit" class="primary">Search</button>${this.params.size
              ? html`<a class="button" href="/ui/audit">Clear</a>`
              : nothing}
          </div>
        </div>
      </form>
      ${this.entries.error && answer ? pending(this.entries) : nothing}
      <section class="card ${this.entries.waiting && answer ? 'stale' : ''}">
        ${!answer
          ? pending(this.entries)
          : entries.length
            ? this.renderTable(entries)
            : html`<k-empty text=${this.params.size ? 'No entry matches.' : 'Nobody has changed anything yet.'}></k-empty>`}
        <k-more ?first=${!this.params.has('page')} .next=${answer?.nextPageToken ?? ''}></k-more>
      </section>`;
  }

  /** @param {any[]} entries */
  renderTable(entries) {
    return html`<table class="fold">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">On</th>
          <th scope="col">Outcome</th>
        </tr>
      </thead>
      <tbody>
        ${entries.map((entry) => {
          const path = PATHS[entry.kind];
          const object = html`<bdi>${plain(entry.object)}</bdi>`;
          return html`<tr>
            <td data-label="When"><k-time exact .value=${entry.time}></k-time></td>
            <td data-label="Who"><bdi>${plain(entry.caller) || 'nobody known'}</bdi><span class="sub">${plain(entry.address)}</span></td>
            <td data-label="What">${plain(entry.action) || 'several calls'}</td>
            <td data-label="On" class="name">
              ${plain(entry.kind)}
              ${path && entry.object ? html`<a href=${href(path + segment(entry.object))}>${object}</a>` : object}${entry.detail
                ? html`<span class="sub"><bdi>${plain(entry.detail)}</bdi></span>`
                : nothing}
            </td>
            <td data-label="Outcome">
              ${badge(
                plain(entry.outcome),
                entry.outcome === 'OK' ? 'good' : entry.outcome === 'BEGUN' ? 'off' : 'bad',
                entry.outcome === 'BEGUN' ? 'The end of the call is not known' : '',
              )}${number(entry.more) ? html`<span class="sub">and ${count(entry.more)} more like it</span>` : nothing}
            </td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }
}
customElements.define('k-audit', AuditElement);
