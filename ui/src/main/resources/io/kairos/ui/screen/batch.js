// One batch: its counts, which lead to its tasks, and what can be done with all of it.
import { call, may, path } from '../api.js';
import { Screen, html, nothing } from '../element.js';
import { count, counted, number, plain } from '../format.js';
import { href } from '../link.js';
import { UNFINISHED, handlerLink, pending } from '../part/basic.js';
import { ask, say } from '../part/dialog.js';
import { batchProgress, batchState } from './batches.js';

/** Counts of a batch: title, field, the states that it counts, and the colour unless it is 0. @type {[string, string, string[], string][]} */
const COUNTS = [
  ['Tasks', 'total', [], ''],
  ['Unfinished', 'unfinished', UNFINISHED, ''],
  ['Succeeded', 'succeeded', ['SUCCEEDED'], ''],
  ['Failed', 'failed', ['FAILED'], 'bad'],
  ['Dead', 'dead', ['DEAD'], 'bad'],
  ['Cancelled', 'cancelled', ['CANCELLED'], 'warn'],
];

class BatchElement extends Screen {
  constructor() {
    super();
    // One that has ended goes on when a task of it is put back.
    this.batch = this.poll(3, (signal) => call('GET', path`/v1/batches/${this.args.id ?? ''}`, { signal })).of();
  }

  /** @param {any} batch */
  async close(batch) {
    const done = await ask({
      heading: 'Close this batch',
      body: html`<p>No more tasks join it, and it ends when all that it has have ended. This cannot be undone.</p>`,
      button: 'Close 1 batch',
      run: async () => {
        await call('POST', path`/v1/batches/${batch.id}:close`);
        say('The batch is closed.');
      },
    });
    if (done) await this.refresh();
  }

  /** Closes the batch and cancels its tasks, one bounded call after the other. @param {any} batch */
  async cancel(batch) {
    const most = number(batch.counts?.unfinished);
    // Outlives an error.
    let done = 0;
    let before = '';
    const ended = await ask({
      heading: 'Cancel this batch',
      danger: true,
      body: html`<p>
        No more tasks join it. <strong>${counted(most, 'task')}</strong> of it ${most === 1 ? 'has' : 'have'} not ended: they will not be
        performed, and this cannot be undone. Tasks that are being performed are asked to stop.
      </p>`,
      button: `Cancel ${counted(most, 'task')}`,
      run: async (_, { signal, report }) => {
        for (;;) {
          const answer = await call('POST', path`/v1/batches/${batch.id}:cancel`, { body: before ? { before } : {} });
          done += number(answer.count);
          report(done, Math.max(done, most));
          before = answer.more ? (answer.nextBefore ?? '') : '';
          if (!before || signal.aborted) return { left: before !== '' };
        }
      },
    });
    if (!ended && !done) return;
    say(`${counted(done, 'task')} cancelled or asked to stop${ended && !ended.left ? '' : '; others are left'}.`);
    await this.refresh();
  }

  render() {
    const batch = this.batch.value;
    const id = this.args.id ?? '';
    return html`<div class="head">
        <h1>
          <small>Batch</small>${batch?.name ? html`<bdi>${plain(batch.name)}</bdi>` : nothing}
          <small class="mono">${plain(id)} <k-copy .value=${id}></k-copy></small>
        </h1>
        ${batch ? this.renderActions(batch) : nothing}
      </div>
      ${pending(this.batch)} ${batch ? this.renderBatch(batch) : nothing}`;
  }

  /** @param {any} batch */
  renderActions(batch) {
    return html`${!batch.closedAt && may('BatchService/CloseBatch')
      ? html`<button type="button" @click=${() => this.close(batch)}>Close…</button>`
      : nothing}
    ${number(batch.counts?.unfinished) && may('BatchService/CancelBatch')
      ? html`<button type="button" @click=${() => this.cancel(batch)}>Cancel…</button>`
      : nothing}`;
  }

  /** @param {any} batch */
  renderBatch(batch) {
    return html`<div class="tiles many">
        ${COUNTS.map(([title, field, states, kind]) => {
          const value = number(batch.counts?.[field]);
          return html`<a class="tile ${value ? kind : ''}" href=${href('tasks', { batch: batch.id, state: states })}
            ><span>${title}</span><strong>${count(value)}</strong></a
          >`;
        })}
      </div>
      <section class="card">
        <h2>Facts</h2>
        <dl class="facts">
          <dt>State</dt>
          <dd>${batchState(batch)}</dd>
          <dt>Progress</dt>
          <dd>${batchProgress(batch)}</dd>
          <dt>Handler</dt>
          <dd>${handlerLink(batch.handler)}</dd>
          <dt>Created</dt>
          <dd>
            <k-time exact .value=${batch.createdAt}></k-time>${batch.createdBy ? html` by <bdi>${plain(batch.createdBy)}</bdi>` : nothing}
          </dd>
          ${batch.closedAt
            ? html`<dt>Closed</dt>
                <dd><k-time exact .value=${batch.closedAt}></k-time></dd>`
            : nothing}
          ${batch.completedAt
            ? html`<dt>Ended</dt>
                <dd><k-time exact .value=${batch.completedAt}></k-time></dd>`
            : nothing}
        </dl>
      </section>`;
  }
}
customElements.define('k-batch', BatchElement);
