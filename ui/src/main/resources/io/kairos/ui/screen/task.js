// One task: its life as a timeline, its payload on demand, and what can be done with it.
import { call, may, path, serverTime } from '../api.js';
import { fromBase64 } from '../bytes.js';
import { Screen, html, nothing } from '../element.js';
import { bytes, count, counted, duration, number, plain } from '../format.js';
import { behind } from '../layout.js';
import { href, segment } from '../link.js';
import { FAILED, WAITING, backoff, handlerLink, nameList, pending, taskState, traceLink } from '../part/basic.js';
import { ask, say } from '../part/dialog.js';
import '../part/graph.js';
import { traceIdOf } from '../rules.js';

const ENDS = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'DEAD'];
/** A task that waits for a limit is in one of these, and has no time of its next trigger. */
const WAITING_FOR_LIMIT = ['NEW', 'RETRIABLE_FAILURE'];
/** Bytes that are shown in hexadecimal; more would only be scrolled past. */
const HEX_BYTES = 4096;
/** @type {Record<string, string>} */
const CANCELLED = {
  CANCELLED: 'The task is cancelled.',
  REQUESTED: 'Its worker is told to stop with its next heartbeat.',
  TOO_LATE: 'The task had ended before.',
};

class TaskElement extends Screen {
  static properties = { payload: { state: true }, form: { state: true }, busy: { state: true } };

  constructor() {
    super();
    /** The payload or the result, once somebody has asked for it. @type {any} */
    this.payload = undefined;
    /** How the payload is shown: text, json or hex. */
    this.form = '';
    /** True while a call of a button without question is under way. */
    this.busy = false;
    this.task = this.poll(
      3,
      (signal) => call('GET', path`/v1/tasks/${this.args.id ?? ''}`, { params: { withoutPayload: true }, signal }),
      (task) => ENDS.includes(task?.state),
    ).of();
    this.graph = this.poll(
      10,
      (signal) => this.readGraph(signal),
      (graph) => graph?.tasks.every((/** @type {any} */ task) => ENDS.includes(task.state)) ?? false,
    ).of();
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    super.willUpdate(changed);
    if (changed.has('route')) this.payload = undefined;
  }

  /** @param {any} task */
  async cancel(task) {
    const outcome = await ask({
      heading: 'Cancel this task',
      body: html`<p>
        ${task.state === 'PROCESSING'
          ? 'A worker performs it: the worker is asked to stop, and the task may still succeed.'
          : 'It will not be performed. This cannot be undone.'}
      </p>`,
      button: 'Cancel 1 task',
      danger: true,
      run: async () => (await call('POST', path`/v1/tasks/${task.id}:cancel`)).outcome,
    });
    if (outcome) this.after(CANCELLED[outcome] ?? 'Done.');
  }

  /** @param {AbortSignal} signal @returns {Promise<import('../layout.js').Graph>} */
  async readGraph(signal) {
    const { tasks = [], edges = [], more } = await call('GET', path`/v1/tasks/${this.args.id ?? ''}/graph`, { signal });
    return { tasks, edges, more };
  }

  /** Cancels the task and what waits for it, one bounded call after the other. @param {any} task */
  async cancelGraph(task) {
    // Outlives an error.
    let done = 0;
    let most = 0;
    const ended = await ask({
      heading: 'Cancel this task and what waits for it',
      danger: true,
      prepare: async (signal) => {
        const graph = await this.readGraph(signal);
        most = unfinishedBehind(graph, task.id);
        return graph;
      },
      possible: () => most > 0,
      body: (/** @type {import('../layout.js').Graph | undefined} */ graph) =>
        html`<p role="status">
          ${graph
            ? html`<strong>${counted(most, 'task')}${graph.more ? ' or more' : ''}</strong> ${most === 1 ? 'has' : 'have'} not ended, of
                this one and those that wait for it, directly or through others. They will not be performed, and this cannot be undone. Tasks
                that are being performed are asked to stop. What it waits for goes on.`
            : 'Counting the tasks that wait for it…'}
        </p>`,
      button: (/** @type {import('../layout.js').Graph} */ graph) => `Cancel ${counted(most, 'task')}${graph.more ? ' or more' : ''}`,
      run: async (_, { signal, report }) => {
        for (;;) {
          const answer = await call('POST', path`/v1/tasks/${task.id}:cancelGraph`);
          done += number(answer.count);
          report(done, Math.max(done, most));
          const left = answer.more === true;
          if (!left || !number(answer.count) || signal.aborted) return { left };
        }
      },
    });
    if (ended || done)
      this.after(`${counted(done, 'task')} cancelled or asked to stop${ended && !ended.left ? '' : '; others may be left'}.`);
  }

  /** @param {any} task */
  async reschedule(task) {
    const done = await ask({
      heading: 'Change the due time',
      body: html`<label>Due time, in your time zone <input type="datetime-local" name="at" required /></label>`,
      button: 'Reschedule 1 task',
      run: (form) =>
        call('POST', path`/v1/tasks/${task.id}:reschedule`, { body: { runAt: new Date(String(form.get('at'))).toISOString() } }),
    });
    if (done) this.after('The task has another due time.');
  }

  /** @param {any} task */
  async runNow(task) {
    if (this.busy) return;
    this.busy = true;
    try {
      await call('POST', path`/v1/tasks/${task.id}:reschedule`, { body: { delay: '0s' } });
      this.after('The task is due now.');
    } catch (error) {
      this.task.error = error;
    }
    this.busy = false;
  }

  /** @param {any} task */
  async redrive(task) {
    const done = await ask({
      heading: 'Run this task again',
      body: html`<p>It keeps its id, and its attempts are counted from zero.</p>`,
      button: 'Run 1 task again',
      run: async () => {
        const answer = await call('POST', '/v1/tasks:redrive', { body: { ids: [task.id] } });
        if (!(answer.ids ?? []).length) throw new Error('The task could not be put back: it is not dead or failed any more.');
      },
    });
    if (done) this.after('The task is put back and due now.');
  }

  /** @param {string} text */
  after(text) {
    say(text);
    void this.refresh();
  }

  async showPayload() {
    try {
      const task = await call('GET', path`/v1/tasks/${this.args.id ?? ''}`);
      // A task that has succeeded has a result, and no payload any more.
      const result = task.state === 'SUCCEEDED';
      const { value, text, json, contentType } = result ? (task.resultValue ?? {}) : { ...task, value: task.payload };
      this.payload = { result, value, text, json, contentType };
      this.form = this.payload.json !== undefined ? 'json' : this.payload.text !== undefined ? 'text' : 'hex';
    } catch (error) {
      this.task.error = error;
    }
  }

  render() {
    const task = this.task.value;
    if (!task)
      return html`<div class="head">
          <h1>Task <small class="mono">${plain(this.args.id)}</small></h1>
        </div>
        ${pending(this.task)}`;
    return html`<div class="head">
        <h1>
          Task of <bdi>${plain(task.handler)}</bdi> <small class="mono">${task.id} <k-copy .value=${task.id}></k-copy></small>
        </h1>
        ${this.renderActions(task)}
      </div>
      ${this.task.error ? pending(this.task) : nothing}
      <div class="grid top">
        <section class="card">
          <h2>Life</h2>
          ${this.renderLife(task)}
        </section>
        <div>
          <section class="card">
            <h2>Facts</h2>
            ${this.renderFacts(task)}
          </section>
          <section class="card">
            <h2>${task.state === 'SUCCEEDED' ? 'Result' : 'Payload'}</h2>
            ${this.renderPayload(task)}
          </section>
        </div>
      </div>
      ${this.renderGraph(task)}`;
  }

  /** @param {any} task */
  renderActions(task) {
    const waits = WAITING.includes(task.state) && may('TaskService/RescheduleTask');
    return html`${FAILED.includes(task.state) && may('HandlerService/Redrive')
      ? html`<button type="button" class="primary" @click=${() => this.redrive(task)}>Run again…</button>`
      : nothing}
    ${waits && (task.state === 'RETRIABLE_FAILURE' || (task.state === 'NEW' && Date.parse(task.runAt) > serverTime()))
      ? html`<button type="button" ?disabled=${this.busy} @click=${() => this.runNow(task)}>Run now</button>`
      : nothing}
    ${waits ? html`<button type="button" @click=${() => this.reschedule(task)}>Reschedule…</button>` : nothing}
    ${!ENDS.includes(task.state) && may('TaskService/CancelTask')
      ? html`<button type="button" @click=${() => this.cancel(task)}>Cancel…</button>`
      : nothing}`;
  }

  /** @param {any} task */
  renderGraph(task) {
    const graph = this.graph.value;
    // One that waits for others should have a graph; of other tasks an error would only be in the way.
    if (!graph?.edges.length) return task.state === 'AWAITING' && this.graph.error ? pending(this.graph) : nothing;
    const left = unfinishedBehind(graph, task.id);
    const others = left - (ENDS.includes(task.state) ? 0 : 1);
    return html`<section class="card">
      <div class="title">
        <h2>
          Graph
          <small
            >${graph.tasks.length > 1
              ? `${count(graph.tasks.length)}${graph.more ? ' or more' : ''} tasks that wait for each other`
              : 'It waits for a batch, or for a task that was removed'}</small
          >
        </h2>
        ${others > 0 && may('TaskService/CancelTaskGraph')
          ? html`<button type="button" class="small" @click=${() => this.cancelGraph(task)}>
              Cancel this and what waits for it…
            </button>`
          : nothing}
      </div>
      ${this.graph.error ? pending(this.graph) : nothing}
      <k-graph .graph=${graph} .task=${task.id}></k-graph>
    </section>`;
  }

  /** @param {any} task */
  renderLife(task) {
    const failures = task.failures ?? [];
    const ended = ENDS.includes(task.state);
    const attempt = task.attempt ?? 0;
    const dueAt = Date.parse(task.runAt);
    const comesDue = !ended && dueAt > serverTime();
    const waitsForLimit = WAITING_FOR_LIMIT.includes(task.state) && task.limits?.length > 0 && !task.nextTrigger;
    const wasDue = ended ? dueAt <= Date.parse(task.finishedAt) : !comesDue;
    const unseen = failures.length ? failures[0].attempt - 1 : 0;
    // A task that was put back has failures from before its due time.
    const earlier = failures.filter((/** @type {any} */ failure) => Date.parse(failure.at) < dueAt).length;
    const attempts = failures.map((/** @type {any} */ failure, /** @type {number} */ at) =>
      this.renderFailure(failure, task, at > 0 && failures[at - 1].error === failure.error),
    );
    const began = task.attemptStartedAt && !failures.some((/** @type {any} */ failure) => failure.startedAt === task.attemptStartedAt);
    return html`<ol class="life">
      ${event(
        '',
        task.createdAt,
        html`<strong>Stored</strong>${task.submittedBy ? html` by <bdi>${plain(task.submittedBy)}</bdi>` : nothing}${task.schedule
            ? html`, fired by the schedule <a href=${href(`schedules/${segment(task.schedule)}`)}><bdi>${plain(task.schedule)}</bdi></a>`
            : nothing}`,
      )}
      ${unseen > 0
        ? html`<li class="warn">
            ${unseen === 1 ? 'One earlier attempt' : `${unseen} earlier attempts`} failed; the errors of the last hundred are kept.
          </li>`
        : nothing}
      ${attempts.slice(0, earlier)} ${wasDue ? event('', task.runAt, html`<strong>Due${earlier ? ' again' : ''}</strong>`) : nothing}
      ${attempts.slice(earlier)}
      ${began
        ? event(
            task.state === 'PROCESSING' ? 'run' : '',
            task.attemptStartedAt,
            html`<strong>Attempt ${attempt}</strong> began${performer(task)}`,
          )
        : nothing}
      ${task.progress
        ? event(
            'run',
            task.progress.at,
            html`<progress max="100" value=${task.progress.percent ?? 0} aria-label="Progress of the attempt"></progress>
              ${task.progress.percent ?? 0} %${task.progress.note
                ? html`: <k-text .value=${task.progress.note}></k-text>`
                : nothing}`,
          )
        : nothing}
      ${task.heartbeatAt ? event('run', task.heartbeatAt, html`<strong>Last heartbeat</strong> of the worker`) : nothing}
      ${task.state === 'PROCESSING' && task.nextTrigger
        ? event('run next', task.nextTrigger, html`The lease ends, unless a heartbeat extends it`)
        : nothing}
      ${task.cancelRequested ? html`<li class="warn">A cancel was requested; the worker has been told.</li>` : nothing}
      ${waitsForLimit
        ? html`<li class="next">Waits for room under one of its <a href=${href('limits')}>limits</a>.</li>`
        : nothing}
      ${task.state === 'ENQUEUED' || (task.state === 'NEW' && !comesDue && !waitsForLimit)
        ? html`<li class="next">
            ${task.state === 'NEW' ? 'It' : html`On its queue${task.holder ? html` at <bdi>${plain(task.holder)}</bdi>` : nothing}: it`} waits
            for a worker of ${handlerLink(task.handler)}.
          </li>`
        : nothing}
      ${task.state === 'AWAITING' ? html`<li class="next">Waits for its predecessors: see its graph.</li>` : nothing}
      ${task.state === 'BLOCKED'
        ? html`<li class="warn next">
            Waits for other tasks of its ordering key:
            <a href=${href('tasks', { handler: task.handler, key: task.key })}><bdi>${plain(task.key)}</bdi></a
            >.
          </li>`
        : nothing}
      ${task.state === 'PAUSED' ? html`<li class="next">Waits: ${handlerLink(task.handler)} or its collection is paused.</li>` : nothing}
      ${comesDue && task.state !== 'RETRIABLE_FAILURE' ? event('next', task.runAt, html`<strong>Due</strong>`) : nothing}
      ${task.state === 'RETRIABLE_FAILURE' && task.nextTrigger
        ? event(
            'next',
            task.nextTrigger,
            html`<strong>Next try</strong>: attempt
              ${attempt + 1}${task.retryPolicy?.maxAttempts ? ` of ${task.retryPolicy.maxAttempts}` : ''}`,
          )
        : nothing}
      ${task.finishedAt
        ? event(
            task.state === 'SUCCEEDED' ? 'good' : task.state === 'CANCELLED' ? '' : 'bad',
            task.finishedAt,
            html`<strong>Ended</strong> ${taskState(task.state)}`,
          )
        : nothing}
    </ol>`;
  }

  /** @param {any} failure @param {any} task @param {boolean} same true when its error is that of the attempt before */
  renderFailure(failure, task, same) {
    const began = failure.startedAt ? html` (began <k-time exact .value=${failure.startedAt}></k-time>)` : nothing;
    const took = failure.startedAt ? ` after ${duration((Date.parse(failure.at) - Date.parse(failure.startedAt)) / 1000)}` : '';
    const alike = failure.fingerprint ? href('tasks', { handler: task.handler, fingerprint: failure.fingerprint }) : '';
    return event(
      failure.outcome === 'RETRIABLE_FAILURE' ? 'warn' : 'bad',
      failure.at,
      html`<strong>Attempt ${failure.attempt} failed</strong>${took}${began}${failure.errorClass
          ? html`: <bdi>${plain(failure.errorClass)}</bdi>`
          : nothing}
        ${alike ? html` <a href=${alike}>others like it</a>` : nothing}
        ${same
          ? html`<p class="muted">The same error.</p>`
          : failure.error
            ? html`<pre class="error" tabindex="0"><k-text .value=${failure.error}></k-text></pre>`
            : nothing}
        ${failure.stack
          ? html`<details>
              <summary>Stack</summary>
              <pre tabindex="0"><k-text .max=${20_000} .value=${failure.stack}></k-text></pre>
            </details>`
          : nothing}`,
    );
  }

  /** @param {any} task */
  renderFacts(task) {
    const policy = task.retryPolicy ?? {};
    const trace = traceIdOf(task.traceparent);
    return html`<dl class="facts">
      ${fact('State', taskState(task.state))} ${fact('Handler', handlerLink(task.handler))} ${fact('Priority', task.priority ?? 0)}
      ${fact('Attempts', html`${task.attempt ?? 0}${policy.maxAttempts ? ` of at most ${policy.maxAttempts}` : ''}`)}
      ${backoff(policy) ? fact('Backoff', backoff(policy)) : nothing}
      ${task.key
        ? fact('Ordering key', html`<a href=${href('tasks', { handler: task.handler, key: task.key })}><bdi>${plain(task.key)}</bdi></a>`)
        : nothing}
      ${task.collection
        ? fact(
            'Collection',
            html`<a href=${href('tasks', { handler: task.handler, collection: task.collection })}><bdi>${plain(task.collection)}</bdi></a>`,
          )
        : nothing}
      ${task.batch ? fact('Batch', html`<a class="mono" href=${href(`batches/${segment(task.batch)}`)}>${task.batch}</a>`) : nothing}
      ${task.limits?.length ? fact('Limits', nameList(task.limits, (name) => html`<bdi>${plain(name)}</bdi>`)) : nothing}
      ${task.fairnessKey
        ? fact('Fairness key', html`<bdi>${plain(task.fairnessKey)}</bdi>, weight ${task.fairnessWeight}`)
        : nothing}
      ${task.holder ? fact(task.state === 'PROCESSING' ? 'Claimed by' : 'Holder', html`<bdi>${plain(task.holder)}</bdi>`) : nothing}
      ${task.performedBy ? fact('Performed as', html`<bdi>${plain(task.performedBy)}</bdi>`) : nothing}
      ${task.startDeadline ? fact('Start deadline', html`<k-time exact .value=${task.startDeadline}></k-time>`) : nothing}
      ${trace ? fact('Trace', traceLink(trace)) : nothing}
      ${may('AuditService/ListAuditEntries')
        ? fact('Audit', html`<a href=${href('audit', { object: task.id })}>who changed it</a>`)
        : nothing}
    </dl>`;
  }

  /** The payload, or the result of a task that has succeeded. @param {any} task */
  renderPayload(task) {
    const result = task.state === 'SUCCEEDED';
    const shown = this.payload;
    if (shown?.result !== result)
      return html`<p class="muted">
        ${result ? 'Results' : 'Payloads'} are shown on demand only.
        <button type="button" class="small" @click=${this.showPayload}>Show ${result ? 'result' : 'payload'}</button>
      </p>`;
    const raw = fromBase64(shown.value);
    if (!raw.length) return html`<p class="muted">${result ? 'It has left none.' : 'It is empty, or no longer kept.'}</p>`;
    const forms = [...(shown.json !== undefined ? ['json'] : []), ...(shown.text !== undefined ? ['text'] : []), 'hex'];
    const text = this.form === 'json' ? indented(shown.text) : this.form === 'text' ? shown.text : hex(raw);
    return html`<div class="title">
        <div class="tabs" role="group" aria-label="Form">
          ${forms.map(
            (form) =>
              html`<button type="button" aria-pressed=${form === this.form} @click=${() => (this.form = form)}>
                ${form === 'json' ? 'JSON' : form}
              </button>`,
          )}
        </div>
        <span class="muted">${bytes(raw.length)}${shown.contentType ? html`, <bdi>${plain(shown.contentType)}</bdi>` : nothing}</span>
        <k-copy .value=${text}></k-copy>
      </div>
      <pre tabindex="0"><k-text .max=${20_000} .value=${text}></k-text></pre>`;
  }
}
customElements.define('k-task', TaskElement);

/** @param {string} kind @param {string | undefined} at @param {unknown} content */
function event(kind, at, content) {
  return html`<li class=${kind}>
    ${content}
    <div class="at">${at ? html`<k-time exact .value=${at}></k-time> (<k-time .value=${at}></k-time>)` : 'at an unknown time'}</div>
  </li>`;
}

/** @param {any} task */
function performer(task) {
  return task.holder && task.state === 'PROCESSING'
    ? html`, claimed by <bdi>${plain(task.holder)}</bdi>`
    : task.performedBy
      ? html`, performed as <bdi>${plain(task.performedBy)}</bdi>`
      : nothing;
}

/** How many have not ended of a task and of those that wait for it. @param {import('../layout.js').Graph} graph @param {string} id */
function unfinishedBehind(graph, id) {
  const found = behind(graph, id);
  return graph.tasks.filter((task) => found.has(task.id) && !ENDS.includes(task.state ?? '')).length;
}

/** @param {string} name @param {unknown} value */
function fact(name, value) {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

/**
 * Indents JSON. Its numbers stay as they are written, which JSON.parse would round.
 *
 * @param {string} json valid JSON
 */
function indented(json) {
  let depth = 0;
  let text = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === '}' || token === ']') {
      depth--;
      text += /[{[]$/.test(text) ? token : line() + token;
    } else {
      const first = /[{[]$/.test(text);
      text += (first ? line() : '') + token;
      if (token === '{' || token === '[') depth++;
      else if (token === ',') text += line();
      else if (token === ':') text += ' ';
    }
  }
  return text;
}

/** @param {Uint8Array} raw */
function hex(raw) {
  const lines = [];
  for (let at = 0; at < Math.min(raw.length, HEX_BYTES); at += 16) {
    const line = [...raw.subarray(at, at + 16)];
    const digits = line.map((each) => each.toString(16).padStart(2, '0')).join(' ');
    const text = line.map((each) => (each >= 32 && each < 127 ? String.fromCharCode(each) : '.')).join('');
    lines.push(`${at.toString(16).padStart(6, '0')}  ${digits.padEnd(47)}  ${text}`);
  }
  if (raw.length > HEX_BYTES) lines.push(`… ${raw.length - HEX_BYTES} more bytes`);
  return lines.join('\n');
}
