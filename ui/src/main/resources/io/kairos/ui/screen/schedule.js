// One schedule: what it does, its ledger, why it did or did not run, its next fire times, and what can be done with it.
import { call, may, path, serverTime } from '../api.js';
import { requestId } from '../bytes.js';
import { Screen, html, nothing } from '../element.js';
import { count, counted, duration, fromInput, number, plain, when } from '../format.js';
import { go, href, setParams } from '../link.js';
import { FAILED, UNFINISHED, badge, pending, taskLink, taskState, word } from '../part/basic.js';
import { ask, say } from '../part/dialog.js';
import '../part/editor.js';
import { REASONS, decisionBadge, summary } from '../part/ledger.js';
import { NO_ENDS } from '../rules.js';
import { forPreview, plannedTable, scheduleState, stepList, targetText } from '../schedules.js';

const SHOWN = 150;
const NEXT = 10;
/** Tasks that are read for the ledger. */
const TASKS = 500;
/** Fire times that one call of a backfill takes; the API allows 1,000. */
const PAGE = 100;
/** Most fire times of one backfill. */
const MOST = 10_000;
const OVERLAPS = ['SKIP', 'BUFFER_ONE', 'BUFFER_ALL', 'CANCEL_OTHER', 'ALLOW_ALL'];

class ScheduleElement extends Screen {
  constructor() {
    super();
    /** The latest answer of the poll that follows, for those that need it too. @type {Promise<any>} */
    this.stored = Promise.resolve();
    this.schedule = this.poll(5, (signal) => (this.stored = call('GET', this.path(), { signal }))).of();
    this.fires = this.poll(
      10,
      (signal) =>
        call('GET', `${this.path()}/fires`, {
          params: { pageSize: SHOWN, pageToken: this.params.get('page'), decisions: this.params.getAll('decision') },
          signal,
        }),
      () => this.params.has('page'),
    ).of('page', 'decision');
    this.tasks = this.poll(10, (signal) => this.loadTasks(signal)).of();
    this.next = this.poll(60, async (signal) => {
      const schedule = await this.stored;
      const body = { schedule: forPreview(schedule), count: Number(this.params.get('next') ?? NEXT) };
      return call('POST', '/v1/schedules:preview', { body, signal });
    }).of('next');
    this.why = this.poll(15, (signal) =>
      this.params.has('at')
        ? call('GET', `${this.path()}/explanation`, {
            params: { at: this.params.get('at') === 'now' ? '' : this.params.get('at') },
            signal,
          })
        : Promise.resolve(null),
    )
      .of('at')
      .about('at');
    this.calendars = this.poll(0, async (signal) => {
      const schedule = await this.stored;
      return Promise.all(
        (schedule.calendars ?? []).map((/** @type {any} */ use) => call('GET', path`/v1/calendars/${use.name}`, { signal })),
      );
    }).of();
    /** The definition that is being changed, as it was when that began. @type {any} */
    this.base = undefined;
  }

  name() {
    return this.args.name ?? '';
  }

  path() {
    return path`/v1/schedules/${this.name()}`;
  }

  /**
   * Tasks of its fires that are unfinished or have failed for good, the newest ones.
   *
   * @param {AbortSignal} signal
   * @returns {Promise<import('../rules.js').Ends>}
   */
  async loadTasks(signal) {
    if (!may('TaskService/ListTasks')) return NO_ENDS;
    const answer = await call('GET', '/v1/tasks', {
      params: { schedule: this.name(), states: [...UNFINISHED, ...FAILED], pageSize: TASKS },
      signal,
    });
    const tasks = answer.tasks ?? [];
    return {
      tasks: new Map(tasks.map((/** @type {any} */ task) => [task.id, FAILED.includes(task.state) ? 'failed' : 'unfinished'])),
      since: answer.nextPageToken ? (tasks.at(-1)?.id ?? NO_ENDS.since) : '',
    };
  }

  async pause() {
    const done = await ask({
      heading: `Pause ${plain(this.name())}`,
      body: html`<p>
          It does not fire until somebody resumes it. Tasks that it has made go on. The ledger says which fire times are skipped.
        </p>
        <label>Note, for others who wonder <input name="note" maxlength="500" /></label>`,
      button: 'Pause',
      run: async (form) => {
        await call('POST', `${this.path()}:pause`, { body: { note: form.get('note') } });
        say(`Paused: ${plain(this.name())}.`);
      },
    });
    if (done) await this.refresh();
  }

  async resume() {
    const done = await ask({
      heading: `Resume ${plain(this.name())}`,
      body: html`<p>It fires again from now on. Fire times during the pause stay skipped; a backfill can make up for them.</p>`,
      button: 'Resume',
      run: async () => {
        await call('POST', `${this.path()}:resume`);
        say(`Resumed: ${plain(this.name())}.`);
      },
    });
    if (done) await this.refresh();
  }

  async trigger() {
    const id = requestId();
    const at = this.route.path;
    const done = await ask({
      heading: `Fire ${plain(this.name())} now`,
      body: html`<p>It fires once in addition to its rule, by its overlap policy, also while it is paused.</p>`,
      button: 'Fire once',
      run: async () => {
        const { fire } = await call('POST', `${this.path()}:trigger`, { body: { requestId: id } });
        say(fire?.decision === 'SKIPPED' ? `Not fired: ${REASONS[fire.reason] ?? word(fire.reason)}.` : 'Fired.');
        return fire ?? true;
      },
    });
    if (!done || !this.isConnected || this.route.path !== at) return;
    if (done.fireTime) setParams({ at: done.fireTime });
    await this.refresh();
  }

  async remove() {
    const at = this.route.path;
    const done = await ask({
      heading: `Delete ${plain(this.name())}`,
      danger: true,
      body: html`<p>The schedule and its ledger are deleted. This cannot be undone. Tasks that it has made go on.</p>`,
      button: 'Delete 1 schedule',
      run: async () => {
        await call('DELETE', this.path());
        say(`Deleted: ${plain(this.name())}.`);
      },
    });
    if (done && this.isConnected && this.route.path === at) go(href('schedules'));
  }

  /** Asks for the range first; then the fire times in it are counted, and backfilled page by page. @param {any} schedule */
  async backfill(schedule) {
    const range = await ask({
      heading: `Backfill ${plain(schedule.name)}`,
      body: html`<p>
          Fires for every fire time of a range in the past, including those at which it has fired already. The times are counted before
          anything is done.
        </p>
        <label>From, in your time zone <input type="datetime-local" name="from" step="1" required /></label>
        <label>To, inclusive, in your time zone <input type="datetime-local" name="to" step="1" required /></label>
        <label
          >While others of its tasks are unfinished
          <select name="overlap">
            <option value="">one after the other</option>
            ${OVERLAPS.map((each) => html`<option value=${each}>${word(each)}</option>`)}
          </select></label
        >`,
      button: 'Count',
      run: async (form) => {
        const from = fromInput(String(form.get('from')));
        const to = fromInput(String(form.get('to')));
        if (from > to) throw new Error('The end is before the start.');
        if (Date.parse(to) > serverTime()) throw new Error('The end is in the future: only past fire times can be made up for.');
        return { from, to, overlap: String(form.get('overlap')) };
      },
    });
    if (!range) return;
    const id = requestId();
    /** @type {Times} */
    let times = { count: 0, more: false, pages: [] };
    const done = await ask({
      heading: `Backfill ${plain(schedule.name)}`,
      prepare: async (signal) => (times = await this.countTimes(schedule, range.from, range.to, signal)),
      possible: (/** @type {Times} */ prepared) => prepared.count > 0 && !prepared.more,
      button: (/** @type {Times} */ prepared) => `Fire for ${counted(prepared.count, 'fire time')}`,
      body: (/** @type {Times | undefined} */ prepared) =>
        html`<p role="status">
            ${!prepared
              ? 'Counting the fire times…'
              : prepared.more
                ? `More than ${count(MOST)} fire times. Choose a shorter range.`
                : html`<strong>${counted(prepared.count, 'fire time')}</strong> from ${when(range.from, { full: true })} to
                    ${when(range.to, { full: true })}.${prepared.count ? ' Each makes a task, or is skipped by the overlap policy.' : ''}`}
          </p>
          ${prepared?.count && !prepared.more ? html`<p class="muted">It can be stopped. What was fired until then stays.</p>` : nothing}`,
      run: async (_, { signal, report }) => {
        const total = times.count;
        const result = { fired: 0, skipped: 0, duplicates: 0 };
        let done = 0;
        report(0, total);
        for (const [at, first] of times.pages.entries()) {
          const next = times.pages[at + 1];
          const answer = await call('POST', `${this.path()}:backfill`, {
            body: {
              firstTime: first,
              // A page ends just before the next one begins: fire times are whole seconds.
              lastTime: next ? new Date(new Date(next).getTime() - 1000).toISOString() : range.to,
              requestId: id,
              ...(range.overlap ? { overlap: range.overlap } : {}),
            },
          });
          result.fired += number(answer.fired);
          result.skipped += number(answer.skipped);
          result.duplicates += number(answer.duplicates);
          done = result.fired + result.skipped + result.duplicates;
          report(Math.min(done, total), total);
          if (signal.aborted && next) {
            say(`Stopped: ${counted(result.fired, 'fire time')} fired, before ${when(next, { full: true })}.`);
            return true;
          }
        }
        say(`${counted(result.fired, 'fire time')} fired, ${count(result.skipped)} skipped.`);
        return true;
      },
    });
    if (done) await this.refresh();
  }

  /**
   * Counts the fire times of a range, and finds where the pages of a backfill begin.
   *
   * @typedef {{count: number, more: boolean, pages: string[]}} Times
   * @param {any} schedule @param {string} from @param {string} to @param {AbortSignal} signal
   * @returns {Promise<Times>}
   */
  async countTimes(schedule, from, to, signal) {
    /** @type {Times} */
    const times = { count: 0, more: false, pages: [] };
    let after = new Date(new Date(from).getTime() - 1000).toISOString();
    let on = 0;
    for (;;) {
      const answer = await call('POST', '/v1/schedules:preview', { body: { schedule: forPreview(schedule), after, count: 1000 }, signal });
      const found = (answer.fires ?? []).filter((/** @type {any} */ fire) => new Date(fire.fireTime) <= new Date(to));
      for (const fire of found) {
        if (on % PAGE === 0) times.pages.push(times.pages.length ? fire.fireTime : from);
        on++;
        // Those that a calendar or daylight saving time excludes make no task.
        if (!fire.skipped) times.count++;
      }
      after = found.at(-1)?.fireTime;
      if (found.length < 1000 || signal.aborted) return times;
      if (on >= MOST) return { ...times, more: true };
    }
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    super.willUpdate(changed);
    if (!this.params.has('edit') || !may('ScheduleService/ApplySchedule')) this.base = undefined;
    else this.base ??= this.schedule.value;
  }

  render() {
    const schedule = this.schedule.value;
    const name = this.name();
    return html`<div class="head">
        <h1><small>Schedule</small><bdi>${plain(name)}</bdi></h1>
        ${schedule ? scheduleState(schedule) : nothing} ${schedule && !this.base ? this.renderActions(schedule) : nothing}
      </div>
      ${pending(this.schedule)}
      ${this.base
        ? html`<k-editor
            .base=${this.base}
            @saved=${() => {
              setParams({ edit: '' });
              say(`Changed: ${plain(name)}.`);
              void this.refresh();
            }}
            @back=${() => setParams({ edit: '' })}
          ></k-editor>`
        : schedule
          ? this.renderSchedule(schedule)
          : nothing}`;
  }

  /** @param {any} schedule */
  renderActions(schedule) {
    const button = (/** @type {string} */ method, /** @type {string} */ text, /** @type {() => void} */ run) =>
      may(`ScheduleService/${method}`) ? html`<button type="button" @click=${run}>${text}</button>` : nothing;
    return html`${schedule.state === 'PAUSED'
      ? button('ResumeSchedule', 'Resume…', () => this.resume())
      : schedule.state === 'ENDED'
        ? nothing
        : button('PauseSchedule', 'Pause…', () => this.pause())}
    ${button('TriggerSchedule', 'Fire now…', () => this.trigger())}
    ${schedule.delayAfter ? nothing : button('BackfillSchedule', 'Backfill…', () => this.backfill(schedule))}
    ${button('ApplySchedule', 'Change', () => setParams({ edit: '1' }))} ${button('DeleteSchedule', 'Delete…', () => this.remove())}`;
  }

  /** @param {any} schedule */
  renderSchedule(schedule) {
    return html`<p class="scope">
        Fires ${plain(schedule.description)}.
        ${schedule.nextFireTime ? html`Next fire time <k-time .value=${schedule.nextFireTime}></k-time>.` : nothing}
        <a href=${href('tasks', { schedule: schedule.name })}>All its tasks</a>,
        <a href=${href('tasks', { schedule: schedule.name, state: FAILED })}>those that failed</a>
      </p>
      ${schedule.state === 'PAUSED'
        ? html`<p class="note">
            Paused <k-time .value=${schedule.since}></k-time>${schedule.note
              ? html`: <bdi>${plain(schedule.note)}</bdi>`
              : ', without a note.'}
          </p>`
        : nothing}
      ${this.renderLedger(schedule)} ${this.renderWhy()}
      <div class="grid">${this.renderDefinition(schedule)} ${this.renderCalendars(schedule)}</div>
      ${this.renderNext(schedule)}`;
  }

  /** @param {any} schedule */
  renderLedger(schedule) {
    const fires = this.fires.value?.fires ?? [];
    const tasks = this.tasks.value ?? NO_ENDS;
    const list = this.params.get('view') === 'list';
    const skipped = this.params.get('decision') === 'SKIPPED';
    const first = !this.params.has('page');
    const planned = first && !skipped && schedule.state === 'ACTIVE' ? (schedule.nextFires ?? []) : [];
    const tab = (/** @type {string} */ text, /** @type {boolean} */ on, /** @type {Record<string, string>} */ params) =>
      html`<button type="button" aria-pressed=${on} @click=${() => setParams(params)}>${text}</button>`;
    return html`<section class="card ${this.fires.waiting && this.fires.value ? 'stale' : ''}">
      <div class="title">
        <h2>Ledger</h2>
        <div class="tabs" role="group" aria-label="Decisions">
          ${tab('All', !skipped, { decision: '', page: '' })}${tab('Skipped', skipped, { decision: 'SKIPPED', page: '' })}
        </div>
        <div class="tabs" role="group" aria-label="Form">${tab('Strip', !list, { view: '' })}${tab('List', list, { view: 'list' })}</div>
      </div>
      ${pending(this.fires)} ${this.tasks.error ? pending(this.tasks) : nothing}
      ${!this.fires.value
        ? nothing
        : fires.length || planned.length
          ? html`<p class="muted">
                ${fires.length
                  ? `${first ? 'The latest' : 'Earlier'} ${counted(fires.length, 'decision')}: ${summary(fires, tasks)}`
                  : 'No fire time has been decided yet.'}
                Choose one to see why.
              </p>
              ${list
                ? this.renderFires(fires, tasks)
                : html`<k-ledger
                    .fires=${fires}
                    .planned=${planned}
                    .tasks=${tasks}
                    .chosen=${this.params.get('at') ?? ''}
                    @choose=${(/** @type {CustomEvent<string>} */ event) => setParams({ at: event.detail })}
                  ></k-ledger>`}`
          : html`<p class="muted">${skipped ? 'No fire time was skipped.' : 'No fire time has been decided yet.'}</p>`}
      <k-more ?first=${first} .next=${this.fires.value?.nextPageToken ?? ''}></k-more>
    </section>`;
  }

  /** @param {any[]} fires @param {import('../rules.js').Ends} tasks */
  renderFires(fires, tasks) {
    return html`<table class="fold">
      <thead>
        <tr>
          <th scope="col">Fire time</th>
          <th scope="col">Decision</th>
          <th scope="col">Late</th>
          <th scope="col">Cause</th>
          <th scope="col">Made</th>
          <th scope="col">Decision in words</th>
        </tr>
      </thead>
      <tbody>
        ${fires.map(
          (fire) =>
            html`<tr>
              <td data-label="Fire time">
                <button type="button" class="link" @click=${() => setParams({ at: fire.fireTime })}>
                  ${when(fire.fireTime, { full: true })}</button
                >${fire.until
                  ? html`<span class="sub"
                      >to ${when(fire.until, { full: true })}${fire.count ? `, ${counted(fire.count, 'fire time')}` : ''}</span
                    >`
                  : nothing}
              </td>
              <td data-label="Decision">${decisionBadge(fire, tasks)}</td>
              <td data-label="Late" class="nowrap">${fire.late && !fire.until ? duration(fire.late) : '–'}</td>
              <td data-label="Cause" class="nowrap">${fire.cause && fire.cause !== 'SCHEDULE' ? word(fire.cause) : 'rule'}</td>
              <td data-label="Made" class="maybe">${this.made(fire)}</td>
              <td data-label="In words" class="wide">${plain(fire.explanation)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  /** What a fire has made. @param {any} fire */
  made(fire) {
    if (!fire.executionId) return nothing;
    return this.schedule.value?.target?.topic ? html`<span>message ${plain(fire.executionId)}</span>` : taskLink(fire.executionId);
  }

  /** @param {SubmitEvent} event */
  explain(event) {
    event.preventDefault();
    const at = fromInput(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('time')));
    setParams({ at: at || 'now' });
    void this.why.refresh();
  }

  renderWhy() {
    const at = this.params.get('at');
    const answer = this.why.value;
    const fire = answer?.fire;
    return html`<section class="card" aria-live="polite">
      <div class="title">
        <h2>Why did it run, or not</h2>
        <form class="row" @submit=${this.explain}>
          <label class="check">at <input type="datetime-local" name="time" step="1" /></label>
          <button type="submit" class="small">Explain</button>
        </form>
      </div>
      ${!at
        ? html`<p class="muted">
            Choose a cell of the ledger or a time.
            <button type="button" class="link" @click=${() => setParams({ at: 'now' })}>Why does it not run now?</button>
          </p>`
        : html`${pending(this.why)}`}
      ${!at || !answer
        ? nothing
        : html`<div class=${this.why.waiting ? 'stale' : ''}>
            <p class="muted">${at === 'now' ? 'Now' : when(at, { full: true })}</p>
            <p><strong>${plain(answer.explanation)}</strong></p>
            ${fire
              ? html`<p>
                  ${decisionBadge(fire, this.tasks.value ?? NO_ENDS)} decided
                  ${when(fire.decidedAt, { full: true })}${fire.late ? `, ${duration(fire.late)} after the fire time` : ''}.
                  ${fire.executionId ? html`It made ${this.made(fire)}` : nothing}
                  ${answer.taskState ? taskState(answer.taskState) : nothing}
                </p>`
              : nothing}
            <p class="row">
              ${answer.fireTimeBefore
                ? html`<button type="button" class="small" @click=${() => setParams({ at: answer.fireTimeBefore })}>
                    Fire time before: ${when(answer.fireTimeBefore)}
                  </button>`
                : nothing}
              ${answer.fireTimeAfter
                ? html`<button type="button" class="small" @click=${() => setParams({ at: answer.fireTimeAfter })}>
                    Fire time after: ${when(answer.fireTimeAfter)}
                  </button>`
                : nothing}
            </p>
          </div>`}
    </section>`;
  }

  /** @param {any} schedule */
  renderDefinition(schedule) {
    const policies = schedule.policies ?? {};
    const catchUp = policies.catchUp ?? {};
    const target = schedule.target ?? {};
    const rule = schedule.cron?.expression ?? schedule.rrule ?? schedule.every ?? schedule.delayAfter ?? schedule.at ?? '';
    const kind = ['cron', 'rrule', 'every', 'delayAfter', 'at'].find((each) => schedule[each] !== undefined) ?? '';
    /** @type {[string, unknown][]} */
    const facts = [
      [
        'Rule',
        html`${{ cron: 'cron', rrule: 'recurrence rule', every: 'every', delayAfter: 'after each run', at: 'once at' }[kind]}
          <code>${plain(rule)}</code>`,
      ],
      ['Zone', plain(schedule.timeZone) || 'UTC'],
      ['Makes', targetText(target)],
      ['Then', schedule.steps?.length ? stepList(schedule.steps) : ''],
      ['Payload', target.text ? html`<k-text .value=${target.text} .max=${200}></k-text>` : target.payload ? 'binary' : ''],
      ['Key', plain(target.key)],
      ['Collection', target.collection ? html`<bdi>${plain(target.collection)}</bdi>` : ''],
      ['Fairness key', target.fairnessKey ? html`<bdi>${plain(target.fairnessKey)}</bdi>, weight ${target.fairnessWeight ?? 1}` : ''],
      ['Overlap', word(policies.overlap) || 'the default'],
      [
        'Missed ones',
        `${word(catchUp.mode) || 'latest'}, at most ${catchUp.window ? duration(catchUp.window) : '24 h'} old${catchUp.mode === 'ALL' ? `, at most ${count(catchUp.max || 100)}` : ''}`,
      ],
      [
        'Clock changes',
        schedule.dst ? `${word(schedule.dst.gap) || 'run after'} a gap; ${word(schedule.dst.overlap) || 'first'} of two` : '',
      ],
      ['From', schedule.startAt ? when(schedule.startAt, { full: true }) : ''],
      ['Until', schedule.endAt ? when(schedule.endAt, { full: true }) : ''],
      ['Runs left', schedule.maxRuns ? `${count(schedule.remainingRuns)} of ${count(schedule.maxRuns)}` : ''],
      ['Spread', schedule.spread ? duration(schedule.spread) : ''],
      ['On failure', policies.pauseOnFailure ? 'it is paused' : ''],
      ['Created', html`<k-time .value=${schedule.createdAt}></k-time>, changed ${count(number(schedule.generation) - 1)} times`],
    ];
    return html`<section class="card">
      <h2>Definition</h2>
      <dl class="facts">
        ${facts
          .filter(([, value]) => value)
          .map(
            ([title, value]) =>
              html`<dt>${title}</dt>
                <dd>${value}</dd>`,
          )}
      </dl>
    </section>`;
  }

  /** @param {any} schedule */
  renderCalendars(schedule) {
    const uses = schedule.calendars ?? [];
    if (!uses.length) return nothing;
    return html`<section class="card">
      <h2>Business calendars</h2>
      ${uses.map((/** @type {any} */ use) => {
        const rules = (this.calendars.value ?? []).find((/** @type {any} */ each) => each.name === use.name)?.rules;
        return html`<details>
          <summary><bdi>${plain(use.name)}</bdi> ${badge(word(use.use) || 'only during', 'off')}</summary>
          ${this.calendars.error || rules === undefined ? pending(this.calendars) : html`<pre>${plain(rules)}</pre>`}
        </details>`;
      })}
    </section>`;
  }

  /** @param {any} schedule */
  renderNext(schedule) {
    const fires = this.next.value?.fires ?? [];
    const shown = Number(this.params.get('next') ?? NEXT);
    return html`<section class="card">
      <h2>${schedule.state === 'ACTIVE' ? 'Next fire times' : 'Fire times of the rule, if it were active'}</h2>
      ${pending(this.next)}
      ${!this.next.value ? nothing : fires.length ? plannedTable(fires) : html`<p class="muted">The rule has no fire time left.</p>`}
      ${schedule.delayAfter ? html`<p class="muted">Later ones depend on when the runs end.</p>` : nothing}
      ${fires.length >= shown && shown < 1000
        ? html`<nav class="more" aria-label="More fire times">
            <button type="button" @click=${() => setParams({ next: String(Math.min(1000, shown * 5)) })}>Show more</button>
          </nav>`
        : nothing}
    </section>`;
  }
}
customElements.define('k-schedule', ScheduleElement);
