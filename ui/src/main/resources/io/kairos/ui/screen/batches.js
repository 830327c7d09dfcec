// All batches: how far each is, and what has failed of it.
import { call } from '../api.js';
import { pendingOrAbsent } from '../absent.js';
import { Screen, html, nothing, searched } from '../element.js';
import { count, number, plain } from '../format.js';
import { go, href, search, segment } from '../link.js';
import { badge, handlerLink, taskState } from '../part/basic.js';

/** The state of a batch: how it has ended, or whether tasks may still join it. @param {any} batch */
export function batchState(batch) {
  if (batch.completedAt) return taskState(batch.state);
  return batch.closedAt
    ? badge('runs', 'run', 'No more tasks join it; it ends with the last of its tasks')
    : badge('open', 'wait', 'Tasks may still join it');
}

/** How far a batch is. @param {any} batch */
export function batchProgress(batch) {
  const { total, unfinished } = batch.counts ?? {};
  return html`<progress max="100" value=${number(batch.percent)} aria-label="Progress of the batch"></progress>
    <span class="sub">${number(batch.percent)} %, ${count(number(total) - number(unfinished))} of ${count(total)} ended</span>`;
}

class BatchesElement extends Screen {
  constructor() {
    super();
    this.batches = this.poll(
      5,
      (signal) =>
        call('GET', '/v1/batches', {
          params: { handler: this.params.get('handler'), pageToken: this.params.get('page'), pageSize: 100 },
          signal,
        }),
      () => this.params.has('page'),
    );
  }

  /** @param {Event} event */
  submit(event) {
    event.preventDefault();
    go(href('batches', search(searched(/** @type {HTMLFormElement} */ (event.currentTarget), this.params))));
  }

  render() {
    const answer = this.batches.value;
    const batches = answer?.batches ?? [];
    return html`<div class="head"><h1>Batches</h1></div>
      <p class="scope">Tasks of one handler that are counted, waited for and cancelled together, the newest batch first.</p>
      <form class="card search" @submit=${this.submit} aria-label="Search">
        <div class="filters">
          <label>Handler<input name="handler" data-search autocomplete="off" spellcheck="false" /></label>
          <div class="row">
            <button type="submit" class="primary">Search</button>${this.params.size
              ? html`<a class="button" href="/ui/batches">Clear</a>`
              : nothing}
          </div>
        </div>
      </form>
      ${this.batches.error && answer ? pendingOrAbsent(this.batches, 'its batches') : nothing}
      <section class="card ${this.batches.waiting && answer ? 'stale' : ''}">
        ${!answer
          ? pendingOrAbsent(this.batches, 'its batches')
          : batches.length
            ? this.renderTable(batches)
            : html`<k-empty
                text=${this.params.size ? 'No batch matches.' : 'There is no batch yet.'}
                command="kairos batch create greet"
              ></k-empty>`}
        <k-more ?first=${!this.params.has('page')} .next=${answer?.nextPageToken ?? ''}></k-more>
      </section>`;
  }

  /** @param {any[]} batches */
  renderTable(batches) {
    return html`<table class="fold">
      <thead>
        <tr>
          <th scope="col">Batch</th>
          <th scope="col">Handler</th>
          <th scope="col">State</th>
          <th scope="col">Progress</th>
          <th scope="col" class="num">Failed</th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        ${batches.map((batch) => {
          const failed = number(batch.counts?.failed) + number(batch.counts?.dead);
          return html`<tr>
            <td data-label="Batch" class="name">
              <a href=${href(`batches/${segment(batch.id)}`)}
                >${batch.name ? html`<bdi>${plain(batch.name)}</bdi>` : html`<span class="mono">…${batch.id.slice(-12)}</span>`}</a
              >
            </td>
            <td data-label="Handler" class="name">${handlerLink(batch.handler)}</td>
            <td data-label="State">${batchState(batch)}</td>
            <td data-label="Progress">${batchProgress(batch)}</td>
            <td data-label="Failed" class="num ${failed ? 'bad-text' : 'zero'}">${count(failed)}</td>
            <td data-label="Created"><k-time .value=${batch.createdAt}></k-time></td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }
}
customElements.define('k-batches', BatchesElement);
