// The workers: where they run, what they perform, and a drain for one that is to be stopped.
import { call, may, path } from '../api.js';
import { pendingOrAbsent } from '../absent.js';
import { Screen, html, nothing } from '../element.js';
import { count, number, plain } from '../format.js';
import { badge, handlerLink } from '../part/basic.js';
import { ask, say } from '../part/dialog.js';

const NAMES = 5;

class WorkersElement extends Screen {
  constructor() {
    super();
    this.workers = this.poll(5, (signal) =>
      call('GET', '/v1/workers', { params: { pageToken: this.params.get('page'), pageSize: 100 }, signal }),
    );
  }

  /** @param {any} worker */
  async drain(worker) {
    const undo = worker.draining === true;
    const done = await ask({
      heading: undo ? 'Give tasks again' : 'Drain a worker',
      body: html`<p><code>${plain(worker.id)}</code>${worker.host ? html` on <bdi>${plain(worker.host)}</bdi>` : nothing}</p>
        <p>
          ${undo
            ? 'It is given tasks again from its next call for work.'
            : 'It is given no more tasks, on all nodes within seconds. Those that it performs go on. The drain ends with the worker: when it starts again under another id, it is given tasks.'}
        </p>`,
      button: undo ? 'Undo the drain' : 'Drain 1 worker',
      run: async () => {
        await call('POST', path`/v1/workers/${worker.id}:drain`, { body: { undo } });
        say(undo ? 'It is given tasks again.' : 'It is given no more tasks.');
      },
    });
    if (done) await this.refresh();
  }

  render() {
    const answer = this.workers.value;
    const workers = answer?.workers ?? [];
    return html`<div class="head"><h1>Workers</h1></div>
      <p class="scope">Workers that have asked for work in the last day, as all nodes know them; those heard of in the last two minutes first.</p>
      ${this.workers.error && answer ? pendingOrAbsent(this.workers, 'its workers') : nothing}
      <section class="card ${this.workers.waiting && answer ? 'stale' : ''}">
        ${!answer
          ? pendingOrAbsent(this.workers, 'its workers')
          : workers.length
            ? this.renderTable(workers)
            : html`<k-empty
                text="No worker has asked for work in the last day."
                command="kairos worker exec --handler greet -- cat"
              ></k-empty>`}
        <k-more ?first=${!this.params.has('page')} .next=${answer?.nextPageToken ?? ''}></k-more>
      </section>`;
  }

  /** @param {any[]} workers */
  renderTable(workers) {
    return html`<table class="fold">
      <thead>
        <tr>
          <th scope="col">Worker</th>
          <th scope="col">Handlers</th>
          <th scope="col">Slots in use</th>
          <th scope="col">Last heard of</th>
          <th scope="col">Since</th>
          <th scope="col" class="num">Lapsed leases</th>
          <th scope="col"><span class="unseen">Action</span></th>
        </tr>
      </thead>
      <tbody>
        ${workers.map((worker) => {
          const running = number(worker.running);
          const slots = number(worker.slots);
          const handlers = worker.handlers ?? [];
          return html`<tr>
            <td data-label="Worker" class="name">
              <strong><bdi>${plain(worker.host) || 'host not told'}</bdi></strong> ${worker.draining
                ? badge('draining', 'warn', 'It is given no more tasks')
                : nothing}
              <span class="sub mono"><bdi>${plain(worker.id)}</bdi></span>
              ${worker.version ? html`<span class="sub"><bdi>${plain(worker.version)}</bdi></span>` : nothing}
              ${worker.caller ? html`<span class="sub">caller <bdi>${plain(worker.caller)}</bdi></span>` : nothing}
            </td>
            <td data-label="Handlers" class="name">
              ${handlers
                .slice(0, NAMES)
                .map((/** @type {string} */ each, /** @type {number} */ at) => html`${at ? ', ' : ''}${handlerLink(each)}`)}
              ${handlers.length > NAMES
                ? html`<details>
                    <summary>and ${count(handlers.length - NAMES)} more</summary>
                    ${handlers
                      .slice(NAMES)
                      .map((/** @type {string} */ each, /** @type {number} */ at) => html`${at ? ', ' : ''}${handlerLink(each)}`)}
                  </details>`
                : nothing}
            </td>
            <td data-label="Slots in use">
              <span class="nowrap"
                >${count(running)}${slots
                  ? html` of ${count(slots)} <meter aria-label="Slots in use" min="0" max=${slots} value=${running}></meter>`
                  : ''}</span
              >
            </td>
            <td data-label="Last heard of"><k-time .value=${worker.seenAt}></k-time></td>
            <td data-label="Since"><k-time .value=${worker.since}></k-time></td>
            <td data-label="Lapsed leases" class="num ${number(worker.lapsed) ? 'warn-text' : 'zero'}">${count(worker.lapsed)}</td>
            <td>
              ${may('ClusterService/DrainWorker')
                ? html`<button type="button" class="small" @click=${() => this.drain(worker)}>
                    ${worker.draining ? 'Undo drain…' : 'Drain…'}<span class="unseen"> ${plain(worker.host || worker.id)}</span>
                  </button>`
                : nothing}
            </td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }
}
customElements.define('k-workers', WorkersElement);
