// What all nodes do together: what is wrong, what waits, what is late, what failed.
import { call, may, serverTime } from '../api.js';
import { Screen, html, nothing } from '../element.js';
import { bytes, count, counted, decimal, duration, number, plain, seconds } from '../format.js';
import { href, segment, setParams } from '../link.js';
import { badge, pending } from '../part/basic.js';
import { loadGroups, minuteAgo } from '../part/failures.js';
import { barTime, spanOf, spanTabs } from '../part/waiting.js';
import '../part/bars.js';

const PERIOD_SECONDS = 5;
/** A figure older than this is not of the last minute: it comes up to 15 s after its period. */
const LATELY_MILLIS = 75_000;
/** Periods of the last minute. */
const LATELY = 12;
const GROUPS = 5;
/** The least lateness that the logarithmic scale shows. */
const LEAST_SECONDS = 0.0001;

/** @type {Record<string, [string, string]>} */
const SEVERITIES = { CRITICAL: ['critical', 'bad'], WARNING: ['warning', 'warn'], NOTICE: ['notice', 'off'] };
/** Where an alarm about something leads; its name is empty when it is about several. @type {Record<string, (name: string) => string>} */
const SUBJECTS = {
  HANDLER: (name) => href(name ? `handlers/${segment(name)}` : 'handlers'),
  SCHEDULE: (name) => href(name ? `schedules/${segment(name)}` : 'schedules'),
  POOL: (name) => href('pools', { pool: name }),
  ROUTE: (name) => href('delay', { route: name }),
  WORKER: () => href('workers'),
  FAILED_TASKS: () => href('failures', { window: '5m' }),
};
const LATENESS = [
  { label: 'p50', color: '--good' },
  { label: 'p90', color: '--accent' },
  { label: 'p99', color: '--warn' },
  { label: 'p99.9', color: '--bad' },
  { label: 'largest pause of a process', color: '--muted', dash: [4, 3] },
];
const RATES = [
  { label: 'accepted', color: '--accent' },
  { label: 'begun', color: '--warn' },
  { label: 'ended', color: '--good' },
];

class OverviewElement extends Screen {
  constructor() {
    super();
    this.cluster = this.poll(5, (signal) => call('GET', '/v1/cluster', { signal })).of();
    this.figures = this.poll(5, (signal, last) => this.loadFigures(signal, last)).of('range');
    this.waiting = this.poll(15, (signal) => call('GET', '/v1/cluster/waiting', { params: { span: spanOf(this.params).id }, signal })).of('span');
    this.failures = this.poll(60, (signal) =>
      may('HandlerService/ListFailureGroups')
        ? loadGroups({ since: minuteAgo(24) }, signal)
        : Promise.resolve({ groups: [], incomplete: false, since: '' }),
    ).of();
  }

  connectedCallback() {
    super.connectedCallback();
    // The chart draws itself when its module is there; the numbers do not wait for it.
    void import('../part/chart.js');
  }

  /** The kind of work that the charts show. @returns {'tasks' | 'messages'} */
  work() {
    return this.params.get('work') === 'messages' ? 'messages' : 'tasks';
  }

  /** Minutes that the charts show. */
  minutes() {
    return this.params.get('range') === 'hour' ? 60 : 15;
  }

  /**
   * Loads only what is not known yet. While the store is away the answer is of one node, and stands apart.
   *
   * @typedef {{figures: any[], minutes: number, ownOnly: boolean}} Shown
   * @param {AbortSignal} signal
   * @param {Shown | undefined} last
   * @returns {Promise<Shown>}
   */
  async loadFigures(signal, last) {
    const minutes = this.minutes();
    const first = serverTime() - minutes * 60_000;
    const known = last && last.minutes >= minutes ? last.figures : [];
    const after = known.at(-1)?.at ?? new Date(first).toISOString();
    const answer = await call('GET', '/v1/cluster/figures', { params: { after }, signal });
    const ownOnly = answer.ownOnly === true;
    const figures = [...known, ...(ownOnly ? [] : (answer.figures ?? []))];
    return { figures: figures.filter((each) => Date.parse(each.at) >= first - PERIOD_SECONDS * 1000), minutes, ownOnly };
  }

  render() {
    const nodes = this.cluster.value?.nodes ?? [];
    const living = nodes.filter((/** @type {any} */ node) => !node.dead).length;
    return html`<div class="head"><h1>Overview</h1></div>
      <p class="scope">
        All nodes together${this.cluster.value ? html`: ${counted(living, 'node')}` : nothing}. Counts are of now, rates and lateness of the
        last minute.
      </p>
      ${this.figures.value?.ownOnly
        ? html`<p class="note">
            The store does not answer the node, which knows no figures but its own now. Rates and lateness of all nodes stand still.
          </p>`
        : nothing}
      ${this.renderAlarms()} ${this.renderTiles()} ${this.renderFailures()}
      <div class="grid">${this.renderLateness()} ${this.renderRates()}</div>
      ${this.renderWaiting()} ${this.renderNodes(nodes)}`;
  }

  renderAlarms() {
    const cluster = this.cluster.value;
    if (!cluster) return pending(this.cluster);
    const alarms = cluster.alarms ?? [];
    return html`${this.cluster.error ? pending(this.cluster) : nothing}
      <section class="card" aria-labelledby="wrong">
        <h2 id="wrong">What is wrong</h2>
        ${alarms.length
          ? html`<ul class="alarms">
              ${alarms.map((/** @type {any} */ alarm) => {
                const [text, kind] = SEVERITIES[alarm.severity] ?? ['notice', 'off'];
                const words = html`<bdi>${plain(alarm.text)}</bdi>`;
                const to = SUBJECTS[alarm.subject]?.(alarm.name ?? '');
                return html`<li>
                  <span>${badge(text, kind)}</span><span>${to ? html`<a href=${to}>${words}</a>` : words}</span
                  ><span class="muted">${alarm.since ? html`<k-time .value=${alarm.since}></k-time>` : nothing}</span>
                </li>`;
              })}
            </ul>`
          : html`<p>Nothing is wrong: no work waits for help, and none is late.</p>`}
      </section>`;
  }

  renderTiles() {
    const waiting = this.waiting.value;
    const lately = (this.figures.value?.figures ?? [])
      .slice(-LATELY)
      .filter((/** @type {any} */ each) => Date.parse(each.at) >= serverTime() - LATELY_MILLIS);
    const rate = (/** @type {(each: any) => unknown} */ pick) =>
      lately.length
        ? `${decimal(lately.reduce((/** @type {number} */ all, /** @type {any} */ each) => all + number(pick(each)), 0) / (lately.length * PERIOD_SECONDS))} /s`
        : '–';
    const worst = (/** @type {(each: any) => string | undefined} */ pick) => {
      const all = lately
        .map((/** @type {any} */ each) => seconds(pick(each)))
        .filter((/** @type {number | undefined} */ each) => each !== undefined);
      return all.length ? Math.max(...all) : undefined;
    };
    // Those that wait for another attempt are overdue by their next try, by which the list cannot search.
    const due = { state: ['NEW', 'ENQUEUED'], to: 'now' };
    // The first bar has what is overdue, too.
    const span = spanOf(this.params);
    const next = waiting?.bars?.[1];
    const overdue = number(waiting?.overdueTasks?.count);
    const messages = number(waiting?.messages?.count);
    const overdueMessages = number(waiting?.overdueMessages?.count);
    const oldest = seconds(lately.at(-1)?.tasks?.oldestOverdue);
    const late = worst((each) => each.tasks?.lateness?.p99);
    return html`<div class="tiles">
      ${tile(
        'Tasks that wait',
        waiting ? count(waiting.tasks?.count, waiting.tasks?.estimated) : '…',
        'whenever they are due',
        href('tasks', { state: ['NEW', 'ENQUEUED', 'RETRIABLE_FAILURE'] }),
      )}
      ${tile(
        'Overdue tasks',
        waiting ? count(overdue, waiting.overdueTasks?.estimated) : '…',
        oldest ? `the oldest for ${duration(oldest)}` : 'due, and nobody has begun them',
        href('tasks', due),
        overdue ? 'warn' : '',
      )}
      ${messages || overdueMessages
        ? tile(
            'Messages that wait',
            count(messages, waiting?.messages?.estimated),
            `${count(overdueMessages, waiting?.overdueMessages?.estimated)} overdue`,
            href('delay'),
            overdueMessages ? 'warn' : '',
          )
        : nothing}
      ${tile(
        'Accepted',
        rate((each) => each.tasks?.accepted),
        'tasks, last minute',
      )}
      ${tile('Due', next ? `${decimal(number(next.tasks) / span.seconds)} /s` : '–', `tasks, in the next ${span.unit}`)}
      ${tile(
        'Begun',
        rate((each) => each.tasks?.begun),
        'tasks, last minute',
      )}
      ${tile(
        'Ended',
        rate((each) => each.tasks?.ended),
        `tasks; ${rate((each) => each.failedAttempts)} attempts failed`,
      )}
      ${tile('Lateness, p99', duration(late), 'tasks, the worst 5 s of the last minute')}
      ${tile(
        'Fires',
        rate((each) => each.fires),
        'of schedules, last minute',
        href('schedules'),
      )}
    </div>`;
  }

  renderFailures() {
    const answer = this.failures.value;
    const error = this.failures.error ? pending(this.failures) : nothing;
    if (!answer?.groups.length) return error;
    const rest = answer.groups.length - GROUPS;
    return html`${error}
      <section class="card" aria-labelledby="failed">
        <div class="title">
          <h2 id="failed">Failed in the last 24 hours, and why</h2>
          <a href=${href('failures')}>${rest > 0 ? `${rest} more` : 'All failures'}</a>
        </div>
        <k-failure-table short .groups=${answer.groups.slice(0, GROUPS)} .since=${answer.since} @changed=${this.refresh}></k-failure-table>
      </section>`;
  }

  /** Which work and time the charts show. */
  renderChoice() {
    const work = this.work();
    const minutes = this.minutes();
    return html`<div class="row">
      <div class="tabs" role="group" aria-label="Kind of work">
        <button type="button" aria-pressed=${work === 'tasks'} @click=${() => setParams({ work: '' })}>Tasks</button>
        <button type="button" aria-pressed=${work === 'messages'} @click=${() => setParams({ work: 'messages' })}>Messages</button>
      </div>
      <div class="tabs" role="group" aria-label="Time">
        <button type="button" aria-pressed=${minutes === 15} @click=${() => setParams({ range: '' })}>15 min</button>
        <button type="button" aria-pressed=${minutes === 60} @click=${() => setParams({ range: 'hour' })}>1 h</button>
      </div>
    </div>`;
  }

  renderLateness() {
    const figures = this.figures.value?.figures ?? [];
    const work = this.work();
    const column = (/** @type {(each: any) => string | undefined} */ pick) =>
      figures.map((/** @type {any} */ each) => {
        const value = seconds(pick(each));
        return value === undefined ? null : Math.max(LEAST_SECONDS, value);
      });
    const last = figures.at(-1)?.[work]?.lateness;
    const data = [
      times(figures),
      ...['p50', 'p90', 'p99', 'p999'].map((name) => column((each) => each[work]?.lateness?.[name])),
      column((each) => each.hiccup),
    ];
    return html`<section class="card">
      <div class="title">
        <h2>Lateness</h2>
        ${this.renderChoice()}
      </div>
      ${this.figures.error ? pending(this.figures) : nothing}
      ${figures.length
        ? html`<k-chart
            log
            .data=${data}
            .lines=${LATENESS}
            .axis=${duration}
            .what=${last
              ? `Lateness of ${work}, now p50 ${duration(last.p50)}, p99 ${duration(last.p99)}`
              : `Lateness of ${work}: nothing has begun lately`}
          ></k-chart>`
        : this.renderNoFigures()}
      <p class="muted">
        <small
          >${work === 'tasks' ? 'Start of the first attempt minus due time.' : 'Acknowledgement by the broker minus due time.'} The dashed
          line is the hosts' own pauses: lateness beneath it is not Kairos.</small
        >
      </p>
    </section>`;
  }

  renderNoFigures() {
    return html`<p class="empty space">${this.figures.value ? 'No figures yet: nodes tell theirs every five seconds.' : nothing}</p>`;
  }

  renderRates() {
    const figures = this.figures.value?.figures ?? [];
    const work = this.work();
    const column = (/** @type {string} */ name) => figures.map((/** @type {any} */ each) => number(each[work]?.[name]) / PERIOD_SECONDS);
    return html`<section class="card">
      <div class="title"><h2>${work === 'tasks' ? 'Tasks' : 'Messages'} per second</h2></div>
      ${figures.length
        ? html`<k-chart
            .data=${[times(figures), column('accepted'), column('begun'), column('ended')]}
            .lines=${RATES}
            .axis=${decimal}
            .what=${`${work} accepted, begun and ended per second`}
          ></k-chart>`
        : this.renderNoFigures()}
    </section>`;
  }

  renderWaiting() {
    const answer = this.waiting.value;
    const span = spanOf(this.params);
    const bars = (answer?.bars ?? []).map((/** @type {any} */ bar, /** @type {number} */ at) => ({
      label: `${barTime(span, bar)}${at === 0 ? ' and before' : ''}: ${count(bar.tasks, bar.estimated)} tasks, ${count(bar.messages, bar.estimated)} messages, ${counted(bar.fires, 'schedule')}`,
      values: [number(bar.tasks), number(bar.messages), number(bar.fires)],
    }));
    const estimated = answer?.bars?.some((/** @type {any} */ bar) => bar.estimated);
    return html`<section class="card ${this.waiting.waiting && answer ? 'stale' : ''}">
      <div class="title">
        <h2>What waits, by due time</h2>
        ${spanTabs(span)}
      </div>
      ${pending(this.waiting)}
      ${answer
        ? html`<k-bars
              .bars=${bars}
              .from=${bars.length ? `${barTime(span, answer.bars[0])} and before` : ''}
              .to=${barTime(span, answer.bars?.at(-1))}
              .what=${`What waits by due time: ${count(answer.tasks?.count, answer.tasks?.estimated)} tasks and ${count(answer.messages?.count, answer.messages?.estimated)} messages in all`}
            ></k-bars>
            <p class="legend">
              <span><i></i>tasks</span><span><i class="b"></i>messages</span
              ><span><i class="c"></i>schedules, by next fire time</span>${estimated
                ? html`<span>Estimated: more than 100,000 wait in this time.</span>`
                : nothing}
            </p>`
        : nothing}
      ${answer && !bars.some((/** @type {{values: number[]}} */ bar) => bar.values.some((value) => value > 0))
        ? html`<k-empty text="Nothing is due in this time." command="kairos task add greet --payload world"></k-empty>`
        : nothing}
    </section>`;
  }

  /** @param {any[]} nodes */
  renderNodes(nodes) {
    if (!nodes.length) return nothing;
    return html`<section class="card">
      <h2>Nodes</h2>
      <table class="fold">
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">Takes in</th>
            <th scope="col" class="num">Load</th>
            <th scope="col" class="num">Heap</th>
            <th scope="col" class="num">Clock</th>
            <th scope="col" class="num">Largest pause</th>
            <th scope="col">Started</th>
            <th scope="col">Last seen</th>
          </tr>
        </thead>
        <tbody>
          ${nodes.map(
            (node) =>
              html`<tr>
                <td data-label="Node" class="name">
                  <bdi>${plain(node.name)}</bdi> ${node.dead ? badge('dead', 'bad') : nothing}
                  ${node.answering ? badge('answers you', 'off') : nothing}<span class="sub">${plain(node.version)}</span>
                </td>
                <td data-label="Takes in">${(node.doors ?? []).join(', ')}</td>
                <td data-label="Load" class="num" title="Cores in use">
                  ${node.load === undefined || node.load === null ? '–' : decimal(node.load)}
                </td>
                <td data-label="Heap" class="num">${bytes(node.heapBytes)}</td>
                <td data-label="Clock" class="num" title="Its clock minus the store's">
                  ${node.clockOffset ? duration(node.clockOffset) : '–'}
                </td>
                <td data-label="Largest pause" class="num">${node.hiccup ? duration(node.hiccup) : '–'}</td>
                <td data-label="Started"><k-time .value=${node.startedAt}></k-time></td>
                <td data-label="Last seen"><k-time .value=${node.seenAt}></k-time></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  }
}
customElements.define('k-overview', OverviewElement);

/** @param {any[]} figures @returns {number[]} */
function times(figures) {
  return figures.map((each) => Date.parse(each.at) / 1000);
}

/** @param {string} name @param {string} value @param {string} note @param {string} [to] @param {string} [kind] */
function tile(name, value, note, to = '', kind = '') {
  const content = html`<span>${name}</span><strong>${value}</strong><span>${note}</span>`;
  return to ? html`<a class="tile ${kind}" href=${to}>${content}</a>` : html`<div class="tile ${kind}">${content}</div>`;
}
