// One handler: its queues and limits, pauses, stuck ordering keys, failures and settings.
import { call, may, path } from '../api.js';
import { Screen, html, nothing } from '../element.js';
import { count, counted, decimal, duration, number, plain, seconds } from '../format.js';
import { href } from '../link.js';
import { backoff, badge, pending, taskLink } from '../part/basic.js';
import { ask, say } from '../part/dialog.js';
import { loadGroups } from '../part/failures.js';
import { askForDrop, askForPause, askForResume } from '../pauses.js';
import { COUNTS, amount, handlerBadges, rate } from './handlers.js';

/** Counts that are a warning unless they are 0. @type {Record<string, string>} */
const KINDS = { blocked: 'warn', failed: 'bad' };
/** @type {[string, 'begun' | 'ended' | 'failed'][]} */
const RATES = [
  ['Begun', 'begun'],
  ['Ended', 'ended'],
  ['Attempts failed', 'failed'],
];
const MOST_WAITING = 10_000;
const ANY_NUMBER = 2_147_483_647;

class HandlerElement extends Screen {
  constructor() {
    super();
    this.handler = this.poll(10, (signal) => call('GET', path`/v1/handlers/${this.name()}`, { signal })).of();
    this.keys = this.poll(10, (signal) =>
      call('GET', path`/v1/handlers/${this.name()}/stuckKeys`, { params: { pageToken: this.params.get('page') }, signal }),
    ).of('page');
    this.groups = this.poll(30, (signal) =>
      may('HandlerService/ListFailureGroups')
        ? loadGroups({ handler: this.name() }, signal)
        : Promise.resolve({ groups: [], incomplete: false, since: '' }),
    ).of();
  }

  name() {
    return this.args.name ?? '';
  }

  /** @param {any} [queue] a queue with limits; absent to limit another priority */
  async limit(queue) {
    const done = await ask({
      heading: queue ? `Limits of priority ${queue.priority ?? 50}` : 'Limit a queue',
      body: html`<p>
          For all nodes together, from the next task to begin.
          ${queue ? 'An empty field is no limit.' : 'An empty field leaves the limit as it is, if the queue has one.'}
        </p>
        ${queue
          ? nothing
          : html`<label>Priority, 0 to 100 <input type="number" name="priority" min="0" max="100" step="1" value="50" required /></label>`}
        <label>Tasks at a time <input type="number" name="maxRunning" min="0" step="1" value=${queue?.maxRunning ?? ''} /></label>
        <label>Begin per second <input type="number" name="perSecond" min="0" step="any" value=${queue?.perSecond ?? ''} /></label>
        <label
          >Burst: begin at once after a pause <input type="number" name="burst" min="1" step="1" value=${queue?.burst ?? ''}
        /></label>`,
      button: 'Set limits',
      run: async (form) => {
        const priority = queue ? (queue.priority ?? 50) : Number(form.get('priority'));
        /** @type {Record<string, number | null>} */
        const limits = {};
        for (const field of ['maxRunning', 'perSecond', 'burst']) {
          if (form.get(field)) limits[field] = Number(form.get(field));
          else if (queue) limits[field] = null;
        }
        if (!Object.keys(limits).length) throw new Error('Give a limit.');
        await call('PATCH', path`/v1/handlers/${this.name()}/queues/${priority}`, {
          body: { ...limits, ...(queue?.etag ? { etag: queue.etag } : {}) },
        });
        say(`The limits of priority ${priority} are set.`);
      },
    });
    if (done) await this.refresh();
  }

  /** @param {'skip' | 'retry'} verb @param {any} stuck */
  async head(verb, stuck) {
    const done = await ask({
      heading: verb === 'skip' ? 'Skip the head' : 'Retry the head',
      danger: verb === 'skip',
      body: html`<p>
          ${verb === 'skip'
            ? 'The first task of this key ends as dead, and the next can begin.'
            : 'The first task of this key is tried again at once.'}
          Behind it ${waiting(stuck)} ${number(stuck.waiting) === 1 ? 'waits' : 'wait'}.
        </p>
        <p>Key <bdi>${plain(stuck.key)}</bdi>, head <code>${plain(stuck.head)}</code></p>`,
      button: verb === 'skip' ? 'Skip 1 task' : 'Retry 1 task',
      run: async () => {
        await call('POST', path`/v1/handlers/${stuck.handler}/keys:${verb}`, { body: { key: stuck.key, head: stuck.head } });
        say(verb === 'skip' ? 'The head is skipped.' : 'The head is tried again.');
      },
    });
    if (done) await this.refresh();
  }

  /** @param {any} handler */
  async settings(handler) {
    const policy = handler.retryPolicy ?? {};
    /** What the fields show; only those that somebody changes are sent. @type {Record<string, string>} */
    const before = {
      maxUnfinished: String(handler.maxUnfinished ?? ''),
      maxAttempts: String(policy.maxAttempts ?? ''),
      initialBackoff: String(seconds(policy.initialBackoff) ?? ''),
      maxBackoff: String(seconds(policy.maxBackoff) ?? ''),
    };
    const done = await ask({
      heading: `Settings of ${plain(handler.name)}`,
      body: html`<label
          >Unfinished tasks, at most
          <input type="number" name="maxUnfinished" min="1" step="1" value=${before.maxUnfinished} placeholder="no quota"
        /></label>
        <label>Attempts, at most <input type="number" name="maxAttempts" min="1" step="1" value=${before.maxAttempts} /></label>
        <label
          >First backoff, in seconds <input type="number" name="initialBackoff" min="0" step="any" value=${before.initialBackoff}
        /></label>
        <label>Longest backoff, in seconds <input type="number" name="maxBackoff" min="0" step="any" value=${before.maxBackoff} /></label>
        <p class="muted">The retry policy holds for tasks that were scheduled without their own. An empty field is the default.</p>`,
      button: 'Set',
      run: async (form) => {
        const value = (/** @type {string} */ field) => String(form.get(field) ?? '');
        const changed = Object.keys(before).filter((field) => value(field) !== before[field]);
        if (!changed.length) throw new Error('Nothing is different.');
        /** @type {Record<string, unknown>} */
        const retryPolicy = {};
        for (const field of changed) {
          if (field === 'maxUnfinished' || !value(field)) continue;
          retryPolicy[field] = field === 'maxAttempts' ? Number(value(field)) : `${value(field)}s`;
        }
        await call('PATCH', path`/v1/handlers/${handler.name}`, {
          params: { updateMask: changed.map((field) => (field === 'maxUnfinished' ? field : `retryPolicy.${field}`)).join(',') },
          body: {
            ...(handler.etag ? { etag: handler.etag } : {}),
            ...(changed.includes('maxUnfinished') && value('maxUnfinished') ? { maxUnfinished: value('maxUnfinished') } : {}),
            retryPolicy,
          },
        });
        say('The settings are changed.');
      },
    });
    if (done) await this.refresh();
  }

  /** @param {Promise<boolean>} asked */
  async refreshAfter(asked) {
    if (await asked) await this.refresh();
  }

  render() {
    const handler = this.handler.value;
    const name = this.name();
    return html`<div class="head">
        <h1><small>Handler</small><bdi>${plain(name)}</bdi></h1>
        ${handler ? handlerBadges(handler) : nothing}
        ${handler && may('HandlerService/SetPause')
          ? html`<button type="button" @click=${() => this.refreshAfter(askForPause(name))}>Pause…</button>
              <button type="button" @click=${() => this.refreshAfter(askForDrop(name))}>Drop…</button>`
          : nothing}
      </div>
      ${pending(this.handler)} ${handler ? this.renderHandler(handler, name) : nothing}`;
  }

  /** @param {any} handler @param {string} name */
  renderHandler(handler, name) {
    const groups = this.groups.value;
    return html`<p class="scope">
        ${handler.hasWorker
          ? 'A worker asks for its tasks'
          : handler.askedAt
            ? 'No worker asks for its tasks now'
            : 'No worker has ever asked for its tasks'}${handler.askedAt
          ? html`, last <k-time .value=${handler.askedAt}></k-time>`
          : nothing}.
        <a href=${href('tasks', { handler: name })}>All its tasks</a>,
        <a href=${href('tasks', { handler: name, state: ['NEW', 'ENQUEUED'], to: 'now' })}>those overdue</a>
      </p>
      <div class="tiles many">
        ${COUNTS.map(([title, field, states]) => {
          const { value, text } = amount(handler, field);
          return html`<a class="tile ${value ? (KINDS[field] ?? '') : ''}" href=${href('tasks', { handler: name, state: states })}
            ><span>${title}</span><strong>${text}</strong></a
          >`;
        })}
        <a class="tile" href=${href('tasks', { handler: name, state: ['NEW', 'ENQUEUED'], to: 'now' })}
          ><span>Oldest due for</span><strong>${handler.oldestDue ? duration(handler.oldestDue) : '–'}</strong></a
        >
        ${RATES.map(
          ([title, field]) =>
            html`<div class="tile ${field === 'failed' && number(handler.rates?.failed) ? 'bad' : ''}">
              <span>${title}</span><strong>${rate(handler, field)} /s</strong>
            </div>`,
        )}
      </div>
      <p class="scope">Counts are of now, of all nodes; rates are attempts in the last minute.</p>
      ${handler.pauses?.length ? this.renderPauses(handler.pauses) : nothing} ${this.renderKeys()}
      ${this.groups.error ? pending(this.groups) : nothing}
      ${groups?.groups.length
        ? html`<section class="card">
            <h2>Failures, by error</h2>
            <k-failure-table .groups=${groups.groups} .handler=${name} @changed=${this.refresh}></k-failure-table>
          </section>`
        : nothing}
      <div class="grid">${this.renderQueues(handler)} ${this.renderSettings(handler)}</div>`;
  }

  /** @param {any[]} pauses */
  renderPauses(pauses) {
    return html`<section class="card">
      <h2>Pauses</h2>
      <table class="fold">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Effect</th>
            <th scope="col">Note</th>
            <th scope="col">Since</th>
            <th scope="col">Ends</th>
            <th scope="col"><span class="unseen">Action</span></th>
          </tr>
        </thead>
        <tbody>
          ${pauses.map(
            (pause) =>
              html`<tr>
                <td data-label="What" class="name">
                  ${pause.collection ? html`collection <bdi>${plain(pause.collection)}</bdi>` : 'all its tasks'}
                </td>
                <td data-label="Effect">
                  ${pause.mode === 'DROP' ? badge('dropped', 'bad', 'Its tasks end as cancelled') : badge('paused', 'warn')}
                </td>
                <td data-label="Note"><bdi>${plain(pause.note) || '–'}</bdi></td>
                <td data-label="Since"><k-time .value=${pause.since}></k-time></td>
                <td data-label="Ends">${pause.until ? html`<k-time .value=${pause.until}></k-time>` : 'when somebody ends it'}</td>
                <td>
                  ${may('HandlerService/EndPause')
                    ? html`<button
                        type="button"
                        class="small"
                        @click=${() => this.refreshAfter(askForResume({ handler: this.name(), collection: pause.collection }))}
                      >
                        Resume…
                      </button>`
                    : nothing}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  }

  renderKeys() {
    const keys = this.keys.value?.stuckKeys ?? [];
    const error = this.keys.error ? pending(this.keys) : nothing;
    if (!keys.length && !this.params.has('page')) return error;
    return html`${error}
      <section class="card">
        <h2>Stuck ordering keys</h2>
        <table class="fold">
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Why</th>
              <th scope="col">Head</th>
              <th scope="col" class="num">Behind it</th>
              <th scope="col"><span class="unseen">Action</span></th>
            </tr>
          </thead>
          <tbody>
            ${keys.map(
              (/** @type {any} */ stuck) =>
                html`<tr>
                  <td data-label="Key" class="name">
                    <a href=${href('tasks', { handler: stuck.handler, key: stuck.key })}><bdi>${plain(stuck.key)}</bdi></a>
                  </td>
                  <td data-label="Why" class="wide">
                    ${stuck.reason === 'HEAD_FAILED'
                      ? badge('blocked', 'bad', 'The head has failed for good')
                      : badge('head is retried', 'warn')} <span class="clip"><bdi>${plain(stuck.error)}</bdi></span>
                  </td>
                  <td data-label="Head" class="maybe">${stuck.head ? taskLink(stuck.head) : nothing}</td>
                  <td data-label="Behind it" class="num">${waiting(stuck)}</td>
                  <td>
                    <div class="row">
                      ${may('HandlerService/RetryHead')
                        ? html`<button type="button" class="small" @click=${() => this.head('retry', stuck)}>
                            Retry…<span class="unseen"> the head of ${plain(stuck.key)}</span>
                          </button>`
                        : nothing}
                      ${may('HandlerService/SkipHead')
                        ? html`<button type="button" class="small" @click=${() => this.head('skip', stuck)}>
                            Skip…<span class="unseen"> the head of ${plain(stuck.key)}</span>
                          </button>`
                        : nothing}
                    </div>
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
        <k-more ?first=${!this.params.has('page')} .next=${this.keys.value?.nextPageToken ?? ''}></k-more>
      </section>`;
  }

  /** @param {any} handler */
  renderQueues(handler) {
    const queues = handler.queues ?? [];
    const allowed = may('HandlerService/UpdateQueue');
    return html`<section class="card">
      <div class="title">
        <h2>Queues with limits</h2>
        ${allowed ? html`<button type="button" class="small" @click=${() => this.limit()}>Limit a queue…</button>` : nothing}
      </div>
      ${queues.length
        ? html`<table class="fold">
            <thead>
              <tr>
                <th scope="col">Priority</th>
                <th scope="col">Running</th>
                <th scope="col" class="num">Per second</th>
                <th scope="col" class="num">Burst</th>
                <th scope="col"><span class="unseen">Action</span></th>
              </tr>
            </thead>
            <tbody>
              ${queues.map((/** @type {any} */ queue) => {
                const most = queue.maxRunning ?? undefined;
                const running = number(queue.running);
                return html`<tr>
                  <td data-label="Priority">${queue.priority ?? 50}</td>
                  <td data-label="Running">
                    <span class="nowrap"
                      >${count(running)}${most === undefined
                        ? ', no limit'
                        : html` of ${count(most)}
                            <meter aria-label="Use of the limit" min="0" max=${Math.max(1, most)} value=${running}></meter>`}</span
                    >
                  </td>
                  <td data-label="Per second" class="num">${queue.perSecond ? decimal(queue.perSecond) : '–'}</td>
                  <td data-label="Burst" class="num">${queue.burst ? count(queue.burst) : '–'}</td>
                  <td>
                    ${allowed ? html`<button type="button" class="small" @click=${() => this.limit(queue)}>Change…</button>` : nothing}
                  </td>
                </tr>`;
              })}
            </tbody>
          </table>`
        : html`<p class="muted">No queue of it has a limit.</p>`}
    </section>`;
  }

  /** @param {any} handler */
  renderSettings(handler) {
    const policy = handler.retryPolicy ?? {};
    const keys = handler.keyPolicy;
    const atATime = keys?.maxRunning === ANY_NUMBER ? 'any number' : count(keys?.maxRunning);
    return html`<section class="card">
      <div class="title">
        <h2>Settings</h2>
        ${may('HandlerService/UpdateHandler')
          ? html`<button type="button" class="small" @click=${() => this.settings(handler)}>Change…</button>`
          : nothing}
      </div>
      <dl class="facts">
        <dt>Quota</dt>
        <dd>${handler.maxUnfinished ? `${counted(handler.maxUnfinished, 'unfinished task')}` : 'none'}</dd>
        <dt>Attempts</dt>
        <dd>${policy.maxAttempts ? `at most ${count(policy.maxAttempts)}` : 'the default'}</dd>
        <dt>Backoff</dt>
        <dd>${backoff(policy) || 'the default'}</dd>
        <dt>Ordering keys</dt>
        <dd>
          ${keys?.maxRunning ? `${atATime} at a time, in no order` : 'one task at a time, in the order of due times'}${keys?.onDead ===
          'BLOCK'
            ? '; a head that fails for good blocks its key'
            : ''}${keys?.perSecond ? `; ${decimal(keys.perSecond)} per second` : ''}
        </dd>
      </dl>
    </section>`;
  }
}
customElements.define('k-handler', HandlerElement);

/** @param {any} stuck */
function waiting(stuck) {
  return number(stuck.waiting) > MOST_WAITING ? `more than ${count(MOST_WAITING)}` : count(stuck.waiting);
}
