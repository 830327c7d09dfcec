// Search of tasks. All filters are in the URL; what is done to all that match goes through a dry run.
import { call, may, serverTime } from '../api.js';
import { askForAll } from '../bulk.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { Screen, html, nothing, searched } from '../element.js';
import { message, plain } from '../format.js';
import { go, here, href, search, setParams } from '../link.js';
import { FAILED, TASK_STATES, UNFINISHED, handlerLink, pending, taskLink, taskState, word } from '../part/basic.js';
import { firstFound } from '../rules.js';

const STATES = Object.keys(TASK_STATES);

/** A filter: its name in the URL, its field in the API, its label and the type of its input. @type {[string, string, string, string][]} */
const FIELDS = [
  ['handler', 'handler', 'Handler', 'text'],
  ['id', 'idPrefix', 'Id begins with', 'text'],
  ['collection', 'collection', 'Collection', 'text'],
  ['key', 'key', 'Ordering key (with handler)', 'text'],
  ['schedule', 'schedule', 'Schedule', 'text'],
  ['batch', 'batch', 'Batch', 'text'],
  ['class', 'errorClass', 'Class of the error', 'text'],
  ['fingerprint', 'errorFingerprint', 'Fingerprint of the error', 'text'],
  ['attempts', 'minAttempts', 'Attempts, at least', 'number'],
  ['priority', 'priority', 'Priority', 'number'],
  ['from', 'notBefore', 'Due from', 'time'],
  ['to', 'before', 'Due before', 'time'],
  ['endedFrom', 'endedNotBefore', 'Ended from', 'time'],
  ['endedTo', 'endedBefore', 'Ended before', 'time'],
];
/** Filters of the URL that each action of the API takes; with another the action would reach more than is shown. */
const TAKES = {
  unfinished: ['state', 'handler', 'collection', 'key', 'from', 'to', 'attempts', 'class', 'fingerprint'],
  failed: ['state', 'handler', 'collection', 'class', 'fingerprint', 'endedFrom', 'endedTo'],
};
const TIMES = ['from', 'to', 'endedFrom', 'endedTo'];
/** A search goes on by itself for so long, or so many calls, while it finds nothing. */
const LONGEST_SEARCH_MILLIS = 20_000;
const MOST_CALLS = 200;
/** A search in texts without a time is of what was due or will be within this time. */
const TEXT_WINDOW_MILLIS = 7 * 86_400_000;
/** Where a search by the end stops among what was accepted long before. */
const SHORTER = 'Tasks that were accepted earlier are not looked at: choose a shorter time of the end.';
const COMMON = ['handler', 'id', 'text'];

class TasksElement extends Screen {
  static properties = { handlers: { state: true }, searched: { state: true } };

  constructor() {
    super();
    /** Names of handlers, which the field for one offers. @type {string[]} */
    this.handlers = [];
    /** Down to which time of acceptance a search that goes on has found nothing; empty for none. */
    this.searched = '';
    this.stopped = false;
    // A page that is not the first, or a search in texts or over several calls, is not repeated: the one would move, the others
    // are work.
    this.tasks = this.poll(
      10,
      (signal) => this.load(signal),
      (last) => this.params.has('page') || this.params.has('text') || last?.wentOn === true,
    );
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.handlers.length || !may('HandlerService/ListHandlers')) return;
    call('GET', '/v1/handlers', { params: { pageSize: 1000, counting: 'NONE' } }).then(
      (answer) => (this.handlers = (answer.handlers ?? []).map((/** @type {any} */ handler) => handler.name)),
      // The field takes any name.
      () => undefined,
    );
  }

  states() {
    return this.params.getAll('state');
  }

  /** Asks for a page, and on while one call examines too few tasks to find any. @param {AbortSignal} signal */
  async load(signal) {
    this.searched = '';
    this.stopped = false;
    /** @type {Record<string, unknown>} */
    const params = {
      states: this.states(),
      text: this.params.get('text'),
      pageToken: this.params.get('page'),
      pageSize: this.params.get('size') ?? 50,
    };
    for (const [name, field, , type] of FIELDS) params[field] = type === 'time' ? this.time(name) : (this.params.get(name) ?? '');
    // The API searches texts within a time only; without an end it is now.
    const now = new Date(serverTime()).toISOString();
    if (params.text && params.notBefore && !params.before) params.before = now;
    if (params.text && params.endedNotBefore && !params.endedBefore) params.endedBefore = now;
    const until = Date.now() + LONGEST_SEARCH_MILLIS;
    const found = await firstFound(
      (token) => call('GET', '/v1/tasks', { params: token ? { ...params, pageToken: token } : params, signal }),
      (answer, calls) => {
        const goesOn = !this.stopped && calls < MOST_CALLS && Date.now() < until;
        if (goesOn) this.searched = answer.examinedTo ?? '';
        return goesOn;
      },
    );
    this.searched = '';
    return found;
  }

  /** What a search has not found yet. */
  renderSearched() {
    return html`<p class="note row">
      <span>Nothing found yet. Searched so far: what was accepted since <k-time .value=${this.searched}></k-time>.</span>
      <button type="button" class="small" @click=${() => (this.stopped = true)}>Stop</button>
    </p>`;
  }

  /** Names of the filters that are set. */
  set() {
    return ['state', 'text', ...FIELDS.map(([name]) => name)].filter((name) => this.params.get(name));
  }

  /** @param {Event} event */
  submit(event) {
    event.preventDefault();
    /** @type {Record<string, unknown>} */
    const params = { ...searched(/** @type {HTMLFormElement} */ (event.currentTarget), this.params), size: this.params.get('size') };
    if (String(params.text) && !TIMES.some((name) => String(params[name] ?? ''))) {
      params.from = new Date(serverTime() - TEXT_WINDOW_MILLIS).toISOString();
      params.to = new Date(serverTime() + TEXT_WINDOW_MILLIS).toISOString();
    }
    const to = href('tasks', search(params));
    if (to !== href(here().path, here().params)) go(to);
    else void this.refresh();
  }

  /** The filter of an action, and why there is none. @param {'unfinished' | 'failed'} kind @returns {{filter: Record<string, unknown>, obstacle: string}} */
  filter(kind) {
    const set = this.set();
    const foreign = set.filter((name) => !TAKES[kind].includes(name));
    const possible = kind === 'failed' ? FAILED : UNFINISHED;
    const chosen = this.states().filter((state) => possible.includes(state));
    /** @type {Record<string, unknown>} */
    const filter = {};
    for (const [name, field, , type] of FIELDS)
      if (this.params.get(name))
        filter[field] = type === 'number' ? Number(this.params.get(name)) : type === 'time' ? this.time(name) : this.params.get(name);
    filter.states = chosen.length ? chosen : possible;
    const label = (/** @type {string} */ name) => (name === 'text' ? 'Text' : (FIELDS.find(([each]) => each === name)?.[2] ?? name));
    let obstacle = '';
    if (this.states().length && !chosen.length)
      obstacle = kind === 'failed' ? 'None of the chosen states is dead or failed.' : 'All chosen states are ends.';
    else if (foreign.length) obstacle = `Not with the filter ${foreign.map(label).join(', ')}: one by one only.`;
    return { filter, obstacle };
  }

  /** @param {'cancel' | 'reschedule' | 'redrive'} verb @param {boolean} [now] */
  async all(verb, now = false) {
    const { filter } = this.filter(verb === 'redrive' ? 'failed' : 'unfinished');
    const words = this.set()
      .filter((name) => name !== 'state')
      .map((name) => `${FIELDS.find(([each]) => each === name)?.[2].toLowerCase()} ${plain(this.params.get(name))}`);
    const states = /** @type {string[]} */ (filter.states).map(word).join(', ');
    if (await askForAll({ verb, now, filter, which: `that are ${states}${words.length ? `, with ${words.join(', ')}` : ''}` }))
      await this.refresh();
  }

  render() {
    const answer = this.tasks.value;
    const tasks = answer?.tasks ?? [];
    return html`<div class="head"><h1>Tasks</h1></div>
      ${this.renderForm()} ${this.searched && !this.tasks.error ? this.renderSearched() : pending(this.tasks)}
      <section class="card ${this.tasks.waiting && answer ? 'stale' : ''}">
        <div class="title">
          <h2>
            ${tasks.length
              ? `${tasks.length} ${this.params.has('page') ? 'more' : 'newest'}${this.set().length ? ' that match' : ''}`
              : 'Matches'}
          </h2>
          ${this.renderActions()}
        </div>
        ${answer ? this.renderTasks(tasks, answer) : nothing}
        <k-more ?first=${!this.params.has('page')} .next=${answer?.nextPageToken ?? ''} .incomplete=${answer?.incomplete === true}></k-more>
      </section>`;
  }

  renderForm() {
    const rare = FIELDS.filter(([name]) => !COMMON.includes(name));
    const open = rare.some(([name]) => this.params.get(name));
    return html`<form class="card search" @submit=${this.submit} aria-label="Search">
      <div class="filters">
        <fieldset class="all">
          <legend>State</legend>
          <div class="choices">
            ${STATES.map(
              (state) =>
                html`<label title=${TASK_STATES[state]?.[1] ?? ''}
                  ><input
                    type="checkbox"
                    name="state"
                    value=${state}
                    @change=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).form?.requestSubmit()}
                  />${word(state)}</label
                >`,
            )}
          </div>
        </fieldset>
        ${FIELDS.filter(([name]) => COMMON.includes(name)).map((field) => this.renderField(field))}
        <label>Text in id, key, result or error<input name="text" type="search" maxlength="200" /></label>
        <div class="row">
          <button type="submit" class="primary">Search</button>${this.set().length
            ? html`<a class="button" href="/ui/tasks">Clear</a>`
            : nothing}
        </div>
      </div>
      <details ?open=${open}>
        <summary>More filters</summary>
        <div class="filters">${rare.map((field) => this.renderField(field))}</div>
        <p class="row">
          <span class="muted">Ended in the last</span>
          ${[
            ['hour', 1],
            ['24 hours', 24],
            ['7 days', 168],
          ].map(
            ([text, hours]) =>
              html`<button
                type="button"
                class="small"
                @click=${() =>
                  setParams({ endedFrom: new Date(serverTime() - Number(hours) * 3_600_000).toISOString(), endedTo: '', page: '' })}
              >
                ${text}
              </button>`,
          )}
        </p>
      </details>
      <datalist id="handlers">${this.handlers.map((name) => html`<option value=${name}></option>`)}</datalist>
    </form>`;
  }

  /** @param {[string, string, string, string]} field */
  renderField([name, , label, type]) {
    return html`<label
      >${label}
      ${type === 'time'
        ? html`<input name=${name} type="datetime-local" />`
        : html`<input
            name=${name}
            type=${type}
            min=${type === 'number' ? 0 : nothing}
            list=${name === 'handler' ? 'handlers' : nothing}
            ?data-search=${name === 'handler'}
            autocomplete="off"
            spellcheck="false"
          />`}
    </label>`;
  }

  renderActions() {
    if (!this.set().length) return html`<span class="muted">Set a filter to act on all that match.</span>`;
    const unfinished = this.filter('unfinished').obstacle;
    const failed = this.filter('failed').obstacle;
    const button = (/** @type {string} */ text, /** @type {string} */ obstacle, /** @type {() => void} */ run) =>
      html`<button type="button" class="small" ?disabled=${!!obstacle} title=${obstacle || nothing} @click=${run}>${text}</button>`;
    const actions = [
      ...(may('HandlerService/Redrive') ? [button('Run failed again…', failed, () => this.all('redrive'))] : []),
      ...(may('TaskService/RescheduleTasks')
        ? [
            button('Run now…', unfinished, () => this.all('reschedule', true)),
            button('Reschedule…', unfinished, () => this.all('reschedule')),
          ]
        : []),
      ...(may('TaskService/CancelTasks') ? [button('Cancel…', unfinished, () => this.all('cancel'))] : []),
    ];
    return actions.length
      ? html`<div class="row" role="group" aria-label="All that match"><span class="muted">All that match:</span>${actions}</div>
          ${unfinished && failed ? html`<p class="muted">${failed}</p>` : nothing}`
      : nothing;
  }

  /** @param {any[]} tasks @param {any} answer */
  renderTasks(tasks, answer) {
    if (!tasks.length) {
      if (answer.nextPageToken || answer.incomplete)
        return html`<p class="empty">
          Nothing found yet. Searched so far: what was accepted since <k-time .value=${answer.examinedTo}></k-time>.
          ${answer.nextPageToken ? nothing : SHORTER}
        </p>`;
      return this.set().length
        ? html`<k-empty text="No task matches."></k-empty>`
        : html`<k-empty text="There are no tasks yet." command="kairos task add greet --payload world"></k-empty>`;
    }
    return html`${answer.incomplete
        ? html`<p class="note">
            This page is not full because one call examines a bounded number of tasks. ${answer.nextPageToken ? 'Search on for more.' : SHORTER}
          </p>`
        : nothing}
      <table class="fold">
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">State</th>
            <th scope="col">Handler</th>
            <th scope="col">Due</th>
            <th scope="col" class="num">Attempts</th>
            <th scope="col">Latest error</th>
            <th scope="col">Ended</th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            tasks,
            (task) => task.id,
            (task) => {
              const failure = task.failures?.at(-1);
              return html`<tr>
                <td data-label="Task">${taskLink(task.id)}</td>
                <td data-label="State">${taskState(task.state)}</td>
                <td data-label="Handler" class="name">
                  ${handlerLink(task.handler)}${task.key
                    ? html`<span class="sub">key <bdi>${plain(task.key)}</bdi></span>`
                    : nothing}${task.collection ? html`<span class="sub">collection <bdi>${plain(task.collection)}</bdi></span>` : nothing}
                </td>
                <td data-label="Due"><k-time .value=${task.runAt}></k-time></td>
                <td data-label="Attempts" class="num">
                  ${task.attempt ?? 0}${task.retryPolicy?.maxAttempts
                    ? html`<span class="muted"> of ${task.retryPolicy.maxAttempts}</span>`
                    : nothing}
                </td>
                <td data-label="Latest error" class="wide maybe">
                  ${failure
                    ? html`<div>
                        ${failure.errorClass ? html`<strong><bdi>${plain(failure.errorClass)}</bdi></strong>` : nothing}<span class="clip"
                          ><bdi>${message(failure.error, failure.errorClass).slice(0, 300)}</bdi></span
                        >
                      </div>`
                    : nothing}
                </td>
                <td data-label="Ended" class="maybe">
                  ${task.finishedAt
                    ? html`<k-time .value=${task.finishedAt}></k-time>`
                    : task.state === 'RETRIABLE_FAILURE' && task.nextTrigger
                      ? html`<span class="muted">next try <k-time .value=${task.nextTrigger}></k-time></span>`
                      : nothing}
                </td>
              </tr>`;
            },
          )}
        </tbody>
      </table>`;
  }
}
customElements.define('k-tasks', TasksElement);
