// A replica of a replicated cron: how far it is, what the replicas have agreed on, its tables, and where two replicas part.
import { call, may, path } from '../api.js';
import { readable } from '../bytes.js';
import { Screen, html, nothing } from '../element.js';
import { count, counted, decimal, duration, number, plain, when } from '../format.js';
import { href } from '../link.js';
import { badge, pending, word } from '../part/basic.js';

/** The table in which the replicas keep the schedules that they decide. */
const SCHEDULES = '4294967295';
/** Agreed time behind the clock by more than this is worth a look. */
const BEHIND_SECONDS = 5;
const STEPS = 20;
const TRAIL_REQUESTS = 1000;

/** The writes of an entry, as GetTrail tells them. @typedef {{sequence?: string, component?: string, position?: number, writes?: string}} Step */

class ReplicaElement extends Screen {
  static properties = { compared: { state: true }, problem: { state: true } };

  constructor() {
    super();
    /** What the comparison with another replica's trail has shown. @type {unknown} */
    this.compared = undefined;
    /** Why there is no comparison. @type {unknown} */
    this.problem = undefined;
    this.replica = this.poll(2, async (signal, /** @type {any} */ last) => {
      const replica = await call('GET', '/v1/replica', { signal });
      const at = performance.now();
      const before = last?.replica;
      const rate = before ? (number(replica.sequence) - number(before.sequence)) / ((at - last.at) / 1000) : undefined;
      return { replica, at, rate };
    });
    this.tables = this.poll(5, (signal) => call('GET', '/v1/cron/tables', { signal }));
    this.entries = this.poll(5, (signal) =>
      call('GET', '/v1/cron/entries', {
        params: { component: this.params.get('component'), pageToken: this.params.get('page'), pageSize: 100 },
        signal,
      }),
    );
    this.fires = this.poll(5, (signal) => {
      const component = this.params.get('component');
      return component ? call('GET', path`/v1/cron/tables/${component}/fires`, { params: { limit: 50 }, signal }) : Promise.resolve(null);
    });
    this.trail = this.poll(0, (signal) => (this.params.has('trail') ? this.loadTrail(signal) : Promise.resolve(null)));
    this.replica.of();
    this.tables.of();
    this.entries.of('component', 'page').about('component');
    this.fires.of('component').about('component');
    this.trail.of('trail');
  }

  /** The trail of the latest requests, or of those since the one in the URL. @param {AbortSignal} signal @returns {Promise<Step[]>} */
  async loadTrail(signal) {
    const given = Number(this.params.get('trail'));
    const replica = this.replica.value?.replica ?? (await call('GET', '/v1/replica', { signal }));
    const since = given > 1 ? given : Math.max(0, number(replica.sequence) - TRAIL_REQUESTS);
    return (await call('GET', '/v1/replica/trail', { params: { since }, signal })).steps ?? [];
  }

  /** Saves the trail, for the dashboard of another replica. */
  save() {
    const { cluster, number: own } = this.replica.value.replica;
    const file = new Blob([JSON.stringify({ cluster, replica: own ?? 0, steps: this.trail.value })], { type: 'application/json' });
    const url = URL.createObjectURL(file);
    const link = document.createElement('a');
    link.href = url;
    link.download = `trail-of-replica-${own ?? 0}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  /** Compares this replica's trail with the file of another. @param {Event} event */
  async compare(event) {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const file = field.files?.[0];
    if (!file) return;
    this.compared = this.problem = undefined;
    try {
      const other = JSON.parse(await file.text());
      if (!Array.isArray(other.steps)) throw new Error('This file is not the trail of a replica.');
      this.compared = { from: other.replica, ...firstDifference(this.trail.value ?? [], other.steps) };
    } catch (error) {
      this.problem = error;
    }
    field.value = '';
  }

  render() {
    const answer = this.replica.value;
    return html`<div class="head">
        <h1>
          ${answer
            ? html`<small>Replica ${answer.replica.number ?? 0} of the cluster</small><bdi>${plain(answer.replica.cluster)}</bdi>`
            : 'Replica'}
        </h1>
      </div>
      <p class="scope">What this replica has executed. It may be behind the others; each replica shows its own.</p>
      ${pending(this.replica)} ${answer ? this.renderReplica(answer) : nothing} ${this.renderTables()} ${this.renderEntries()}
      ${this.params.has('component') ? this.renderFires() : nothing} ${may('CronService/GetTrail') ? this.renderTrail() : nothing}`;
  }

  /** @param {any} answer */
  renderReplica({ replica, rate }) {
    const leader = replica.leader ?? undefined;
    const forkers = replica.peerReport?.forkers ?? [];
    const own = replica.number ?? 0;
    const behind = replica.agreedTime ? (Date.parse(replica.clock) - Date.parse(replica.agreedTime)) / 1000 : undefined;
    const far = behind !== undefined && Math.abs(behind) > BEHIND_SECONDS;
    const last = replica.lastCheckpoint;
    const parted = (replica.peers ?? []).filter((/** @type {any} */ peer) => number(peer.partedAt));
    const unconfirmed = number(last?.sequence) - number(replica.agreedSequence);
    return html`<div class="tiles">
        <div class="tile">
          <span>Requests executed</span><strong>${count(replica.sequence)}</strong>
          <small>${rate === undefined ? 'of the log' : `${decimal(rate)} per second`}</small>
        </div>
        <div class="tile ${far ? 'warn' : ''}">
          <span>Agreed time</span><strong>${replica.agreedTime ? when(replica.agreedTime) : 'none'}</strong>
          <small>${behind === undefined ? 'before the first tick, or agreed time is off' : clockText(behind)}</small>
        </div>
        ${
          replica.peerReport
            ? html`<div class="tile ${forkers.length ? 'bad' : ''}">
                <span>Replicas that have forked</span><strong>${forkers.length ? forkers.join(', ') : 'none'}</strong>
                <small>of ${counted(replica.peers?.length, 'replica')}, in round ${count(replica.peerReport.round)}</small>
              </div>`
            : html`<div class="tile ${leader === undefined ? 'bad' : ''}">
                <span>Leader</span><strong>${leader === undefined ? 'none known' : leader === own ? 'this replica' : `replica ${leader}`}</strong>
                <small>${counted(replica.peers?.length, 'replica')}</small>
              </div>`
        }
        <div class="tile">
          <span>Effects under way</span><strong>${count(replica.effectsWaiting)}</strong>
          <small>decided, not known to be done</small>
        </div>
      </div>
      ${parted.length
        ? html`<div class="note" role="status">
            ${parted.map(
              (/** @type {any} */ peer) =>
                html`<p>
                  ${badge('differs', 'bad')} Replica ${peer.number ?? 0} has another state than this one, first seen after request
                  ${count(peer.partedAt)}. The trails of both, below, show at which entry they part.
                </p>`,
            )}
          </div>`
        : nothing}
      <section class="card">
        <h2>Membership</h2>
        <table class="fold">
          <thead>
            <tr>
              <th scope="col">Replica</th>
              <th scope="col">Clock, against agreed time</th>
              <th scope="col">Latest digest</th>
              <th scope="col">Log</th>
              <th scope="col">API and dashboard</th>
            </tr>
          </thead>
          <tbody>
            ${(replica.peers ?? []).map((/** @type {any} */ peer) => {
              const each = peer.number ?? 0;
              return html`<tr>
                <td data-label="Replica">
                  ${each} ${each === own ? badge('this one', 'wait') : nothing} ${each === leader ? badge('leads', 'good') : nothing}
                </td>
                <td data-label="Clock">${clockOf(peer, replica.agreedTime)}</td>
                <td data-label="Digest">${digestOf(peer, replica)}</td>
                <td data-label="Log"><code>${plain(peer.logAddress)}</code></td>
                <td data-label="API">
                  ${peer.edgeAddress
                    ? each === own
                      ? html`<code>${plain(peer.edgeAddress)}</code>`
                      : html`<a href="${location.protocol}//${peer.edgeAddress}/ui/replica" rel="noreferrer">${plain(peer.edgeAddress)}</a>`
                    : html`<span class="muted">not configured</span>`}
                </td>
              </tr>`;
            })}
          </tbody>
        </table>
        ${replica.modules?.length
          ? html`<p class="muted">Modules: ${replica.modules.map((/** @type {string} */ each) => plain(each)).join(', ')}</p>`
          : nothing}
      </section>
      <section class="card">
        <h2>Digests of the whole state</h2>
        <dl class="facts">
          <dt>Confirmed</dt>
          <dd>
            ${number(replica.agreedSequence)
              ? html`up to request ${count(replica.agreedSequence)}: one replica more than may fail has the same state
                ${unconfirmed > 0 ? badge(`${count(unconfirmed)} requests not yet`, 'wait') : badge('all', 'good')}`
              : badge('none yet', 'off')}
          </dd>
          <dt>Latest digest</dt>
          <dd>
            ${last
              ? html`after request ${count(last.sequence)}
                  <div class="mono">${plain(last.digest)}</div>
                  <k-copy .value=${last.digest ?? ''}></k-copy>`
              : 'none yet'}
          </dd>
          <dt>All replicas</dt>
          <dd>
            <code>kairos cron status</code> <k-copy value="kairos cron status"></k-copy>
            <div class="muted">asks each replica and compares their digests</div>
          </dd>
        </dl>
      </section>`;
  }

  renderTables() {
    const tables = this.tables.value?.tables ?? [];
    return html`<section class="card">
      <h2>Tables</h2>
      ${this.tables.error && this.tables.value ? pending(this.tables) : nothing}
      ${!this.tables.value
        ? pending(this.tables)
        : tables.length
          ? html`<table class="fold">
              <thead>
                <tr>
                  <th scope="col">Component</th>
                  <th scope="col">Evaluated</th>
                  <th scope="col" class="num">Round</th>
                  <th scope="col" class="num">Entries</th>
                  <th scope="col" class="num">Exceptions</th>
                </tr>
              </thead>
              <tbody>
                ${tables.map((/** @type {any} */ table) => {
                  const component = String(table.component ?? 0);
                  const chosen = component === this.params.get('component');
                  return html`<tr>
                    <td data-label="Component">
                      <a href=${href('replica', { component })} aria-current=${chosen ? 'true' : nothing}>${component}</a>
                      ${component === SCHEDULES ? html`<span class="sub">schedules that the replicas decide</span>` : nothing}
                    </td>
                    <td data-label="Evaluated">${Number.parseFloat(table.tick ?? '0') ? `every ${duration(table.tick)}` : 'never'}</td>
                    <td data-label="Round" class="num">${count(table.round)}</td>
                    <td data-label="Entries" class="num">${count(table.entries)}</td>
                    <td data-label="Exceptions" class="num ${number(table.failures) ? 'bad-text' : 'zero'}">${count(table.failures)}</td>
                  </tr>`;
                })}
              </tbody>
            </table>`
          : html`<k-empty
              text="There are no tables yet."
              command="kairos cron put --component 1 --position 10 --title heartbeat --every 5s --task heartbeat"
            ></k-empty>`}
    </section>`;
  }

  renderEntries() {
    const answer = this.entries.value;
    const entries = answer?.entries ?? [];
    const component = this.params.get('component');
    if (answer && !entries.length && !component && !this.params.has('page')) return nothing;
    return html`<section class="card ${this.entries.waiting && answer ? 'stale' : ''}">
      <div class="title">
        <h2>${component ? `Entries of component ${plain(component)}` : 'Entries of all tables'}</h2>
        ${component ? html`<a class="button small" href=${href('replica')}>All tables</a>` : nothing}
      </div>
      ${pending(this.entries)}
      ${entries.length
        ? html`<table class="fold">
            <thead>
              <tr>
                <th scope="col">Place</th>
                <th scope="col">When</th>
                <th scope="col">Does</th>
                <th scope="col">Next fire</th>
                <th scope="col" class="num">Fires</th>
                <th scope="col">Last fire</th>
                <th scope="col">Last exception</th>
              </tr>
            </thead>
            <tbody>
              ${entries.map((/** @type {any} */ entry) => renderEntry(entry))}
            </tbody>
          </table>`
        : answer
          ? html`<p class="muted">It has no entries.</p>`
          : nothing}
      <k-more ?first=${!this.params.has('page')} .next=${answer?.nextPageToken ?? ''}></k-more>
    </section>`;
  }

  renderFires() {
    const fires = this.fires.value?.fires ?? [];
    return html`<section class="card">
      <h2>Latest fires of component ${plain(this.params.get('component'))}</h2>
      ${this.fires.error && this.fires.value ? pending(this.fires) : nothing}
      ${!this.fires.value
        ? pending(this.fires)
        : fires.length
          ? html`<table class="fold">
              <thead>
                <tr>
                  <th scope="col">Fire time</th>
                  <th scope="col" class="num">Position</th>
                  <th scope="col" class="num">Tick</th>
                </tr>
              </thead>
              <tbody>
                ${fires.map(
                  (/** @type {any} */ fire) =>
                    html`<tr>
                      <td data-label="Fire time"><k-time .value=${fire.fireTime} exact></k-time></td>
                      <td data-label="Position" class="num">${fire.position ?? 0}</td>
                      <td data-label="Tick" class="num">${count(fire.sequence)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>`
          : html`<p class="muted">None of its entries has fired, or the journal no longer has it.</p>`}
    </section>`;
  }

  renderTrail() {
    const steps = /** @type {Step[] | null | undefined} */ (this.trail.value);
    return html`<section class="card">
      <h2>Where two replicas part</h2>
      <p class="muted">
        The trail has a hash of the writes of each entry. When a replica differs, save the trail of one of the others and open it here: the
        first difference shows at which request, and in which entry.
      </p>
      ${!this.params.has('trail')
        ? html`<p><a class="button small" href=${href('replica', { ...Object.fromEntries(this.params), trail: 1 })}>Read the trail</a></p>`
        : this.trail.error || !steps
          ? pending(this.trail)
          : html`<p class="row">
                <button type="button" @click=${this.save}>Save this trail</button>
                <label class="file"
                  >Compare with the trail of another replica<input type="file" accept=".json" @change=${this.compare}
                /></label>
              </p>
              ${this.problem ? html`<k-problem .error=${this.problem}></k-problem>` : nothing}
              ${this.compared ? renderCompared(this.compared) : nothing}
              <p class="muted">${counted(steps.length, 'step')}, the latest ${count(Math.min(STEPS, steps.length))} are shown.</p>
              ${steps.length
                ? html`<table>
                    <thead>
                      <tr>
                        <th scope="col" class="num">Request</th>
                        <th scope="col">Written by</th>
                        <th scope="col">Hash of the writes</th>
                      </tr>
                    </thead>
                    <tbody>
                      ${steps
                        .slice(-STEPS)
                        .reverse()
                        .map(
                          (step) =>
                            html`<tr>
                              <td class="num">${count(step.sequence)}</td>
                              <td>${place(step)}</td>
                              <td><code>${hash(step)}</code></td>
                            </tr>`,
                        )}
                    </tbody>
                  </table>`
                : nothing}`}
    </section>`;
  }
}
customElements.define('k-replica', ReplicaElement);

/** Agreed time against this replica's clock. @param {number} behind seconds */
function clockText(behind) {
  return behind > 0 ? `${duration(behind)} behind the clock of this replica` : `${duration(-behind)} ahead of the clock of this replica`;
}

/** A replica's clock at its last tick. @param {any} peer @param {string | undefined} agreed */
function clockOf(peer, agreed) {
  if (!peer.clock || !agreed) return html`<span class="muted">no tick of it yet</span>`;
  const ahead = (Date.parse(peer.clock) - Date.parse(agreed)) / 1000;
  return html`<span class="nowrap" title=${when(peer.clock, { full: true })}
      >${ahead < 0 ? `${duration(-ahead)} behind` : `${duration(ahead)} ahead`}</span
    >
    <span class="sub"
      >at its last tick, ${number(peer.ticksSince) ? `${counted(peer.ticksSince, 'tick')} ago` : 'the latest of all'}</span
    >`;
}

/** The latest digest that a replica has told. @param {any} peer @param {any} replica */
function digestOf(peer, replica) {
  const last = peer.lastDigest;
  if (!last) return html`<span class="muted">none heard yet</span>`;
  const behind = number(replica.sequence) - number(last.sequence);
  return html`<span class="mono" title=${plain(last.digest)}>${plain(last.digest).slice(0, 12)}</span> ${number(peer.partedAt)
      ? badge('differs', 'bad')
      : nothing} <span class="sub">after request ${count(last.sequence)}, ${counted(behind, 'request')} before this replica's last</span>`;
}

/** @param {any} entry */
function renderEntry(entry) {
  const failure = entry.lastFailure;
  return html`<tr>
    <td data-label="Place" class="name">
      ${entry.component ?? 0} /
      ${entry.position ?? 0}${entry.title ? html`<span class="sub"><bdi>${plain(entry.title)}</bdi></span>` : nothing}
    </td>
    <td data-label="When" class="name">${whenText(entry)}</td>
    <td data-label="Does" class="name">${workText(entry)}</td>
    <td data-label="Next fire">${nextText(entry.nextFire)}</td>
    <td data-label="Fires" class="num">${count(entry.fires)}</td>
    <td data-label="Last fire">
      ${entry.lastFire
        ? html`${entry.lastFire.fireTime ? html`<k-time .value=${entry.lastFire.fireTime}></k-time>` : nothing}<span class="sub"
              >request ${count(entry.lastFire.sequence)}</span
            >`
        : html`<span class="muted">never</span>`}
    </td>
    <td data-label="Last exception" class="maybe">
      ${failure
        ? html`<span class="bad-text"><bdi>${plain(failure.kind)}</bdi></span
            ><span class="sub"
              >${word(failure.callback)}, request ${count(failure.sequence)}; ${counted(failure.count, 'exception')} in all</span
            >`
        : nothing}
    </td>
  </tr>`;
}

/** @param {any} entry */
function whenText(entry) {
  if (entry.cron) return html`<code>${plain(entry.cron)}</code> UTC`;
  if (entry.every) return `every ${duration(entry.every)}`;
  if (entry.fixedRate) return `at a fixed rate, every ${duration(entry.fixedRate.period)}`;
  if (entry.everySequences) return `every ${counted(entry.everySequences, 'request')}`;
  if (entry.everyTick) return 'at every tick';
  if (entry.whenReported) return 'when a node reports that it is due';
  return entry.byModule ? html`as the module <bdi>${plain(entry.byModule.module)}</bdi> says` : '–';
}

/** @param {any} entry */
function workText(entry) {
  const { enqueueTask: task, postMessage: message, push, pushToPool, prune, run, decideSchedule } = entry;
  if (task) return html`a task for <bdi>${plain(task.handler)}</bdi>${payloadText(task.text, task.payload)}`;
  if (message)
    return html`a message to <bdi>${plain(message.topic)}</bdi> after ${duration(message.delay)}${payloadText(undefined, message.value)}`;
  if (push) return html`a request to <bdi>${plain(push.url)}</bdi>${payloadText(push.text, push.body)}`;
  if (pushToPool)
    return html`a request to the pool <bdi>${plain(pushToPool.pool?.name)}</bdi> ${plain(pushToPool.pool?.path)}${payloadText(
        pushToPool.text,
        pushToPool.body,
      )}`;
  if (prune) return `deletes fires from the journal that are older than ${duration(prune)}`;
  if (decideSchedule) return html`has a node decide the schedule <bdi>${plain(decideSchedule.schedule)}</bdi>`;
  return run ? html`runs the module <bdi>${plain(run.module)}</bdi>${payloadText(undefined, run.argument)}` : '–';
}

/** @param {string | undefined} text @param {string | undefined} base64 */
function payloadText(text, base64) {
  const shown = text ?? (base64 ? readable(base64) : '');
  return shown ? html`<span class="sub"><k-text .value=${shown} .max=${120}></k-text></span>` : nothing;
}

/** @param {any} next */
function nextText(next) {
  if (next?.time) return html`<k-time .value=${next.time}></k-time>`;
  if (next?.sequence) return `request ${count(next.sequence)} or later`;
  return next?.nextTick ? 'the next tick' : html`<span class="muted">its next tick tells</span>`;
}

/** @param {Step} step */
function place(step) {
  return step.component === undefined && step.position === undefined
    ? 'the request itself'
    : `entry ${step.component ?? 0} / ${step.position ?? 0}`;
}

/** @param {Step | undefined} step */
function hash(step) {
  return step
    ? BigInt(step.writes ?? 0)
        .toString(16)
        .padStart(16, '0')
    : 'nothing';
}

/**
 * The first step in which two trails differ, among the requests that both have.
 *
 * @param {Step[]} ours @param {Step[]} theirs
 */
function firstDifference(ours, theirs) {
  const first = Math.max(number(ours[0]?.sequence), number(theirs[0]?.sequence));
  const last = Math.min(number(ours.at(-1)?.sequence), number(theirs.at(-1)?.sequence));
  const common = (/** @type {Step[]} */ steps) => steps.filter((step) => number(step.sequence) >= first && number(step.sequence) <= last);
  const [a, b] = [common(ours), common(theirs)];
  const at = a.findIndex(
    (step, index) => place(step) !== place(b[index] ?? {}) || step.sequence !== b[index]?.sequence || hash(step) !== hash(b[index]),
  );
  const index = at < 0 && b.length > a.length ? a.length : at;
  return {
    first,
    last,
    steps: Math.min(a.length, b.length),
    ours: a[index],
    theirs: b[index],
    differs: index >= 0,
    shared: ours.length > 0 && theirs.length > 0 && first <= last,
  };
}

/** @param {any} compared */
function renderCompared({ from, first, last, steps, ours, theirs, differs, shared }) {
  if (!shared)
    return html`<p class="note" role="status">The two trails have no request in common. Save and read them at the same time.</p>`;
  if (!differs)
    return html`<p class="note" role="status">
      No difference to replica ${plain(from)} in ${counted(steps, 'step')}, requests ${count(first)} to ${count(last)}.
    </p>`;
  return html`<div class="note" role="status">
    <p>${badge('differs', 'bad')} The first difference to replica ${plain(from)} among requests ${count(first)} to ${count(last)}:</p>
    <dl class="facts">
      <dt>Here</dt>
      <dd>${ours ? html`request ${count(ours.sequence)}, ${place(ours)}: <code>${hash(ours)}</code>` : 'nothing more'}</dd>
      <dt>There</dt>
      <dd>${theirs ? html`request ${count(theirs.sequence)}, ${place(theirs)}: <code>${hash(theirs)}</code>` : 'nothing more'}</dd>
    </dl>
  </div>`;
}
