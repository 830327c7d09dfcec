// Limits by key: how many tasks that name a key run at a time and begin per second, over all handlers and nodes.
import { call, may, path } from '../api.js';
import { pendingOrAbsent } from '../absent.js';
import { Screen, html, nothing } from '../element.js';
import { count, decimal, number, plain } from '../format.js';
import { href } from '../link.js';
import { ask, say } from '../part/dialog.js';

/** Up to here tasks that wait for a limit are counted. */
const MOST_WAITING = 10_000;
const FIELDS = ['maxRunning', 'perSecond', 'burst'];

class LimitsElement extends Screen {
  constructor() {
    super();
    this.limits = this.poll(5, (signal) => call('GET', '/v1/limits', { signal })).of();
    this.uses = this.poll(5, (signal) =>
      this.name()
        ? call('GET', path`/v1/limits/${this.name()}/uses`, { params: { pageToken: this.params.get('page') }, signal })
        : Promise.resolve(undefined),
    )
      .of('name', 'page')
      .about('name');
  }

  /** The name or pattern whose names are shown; empty for none. */
  name() {
    return this.params.get('name') ?? '';
  }

  /** @param {any} [limit] the present one; absent for a new one */
  async set(limit) {
    const done = await ask({
      heading: limit ? 'Change a limit' : 'Set a limit',
      body: html`<p>
          For all handlers and nodes together, from the next task to begin. An empty field is no limit; a limit that is there is replaced.
        </p>
        ${limit
          ? html`<p><code>${plain(limit.name)}</code></p>`
          : html`<label
              >Name, or the beginning of names and a star
              <input name="name" maxlength="128" placeholder="tenant:*" required autocomplete="off" spellcheck="false"
            /></label>`}
        <label>Tasks at a time <input type="number" name="maxRunning" min="0" step="1" value=${limit?.maxRunning ?? ''} /></label>
        <label>Begin per second <input type="number" name="perSecond" min="0" step="any" value=${limit?.perSecond ?? ''} /></label>
        <label
          >Burst: begin at once after a pause <input type="number" name="burst" min="1" step="1" value=${limit?.burst ?? ''}
        /></label>`,
      button: 'Set 1 limit',
      run: async (form) => {
        const given = FIELDS.filter((field) => form.get(field)).map((field) => [field, Number(form.get(field))]);
        await call('PUT', path`/v1/limits/${limit?.name ?? String(form.get('name')).trim()}`, { body: Object.fromEntries(given) });
        say('The limit is set.');
      },
    });
    if (done) await this.refresh();
  }

  /** @param {any} limit */
  async lift(limit) {
    const done = await ask({
      heading: 'Remove a limit',
      danger: true,
      body: html`<p><code>${plain(limit.name)}</code></p>
        <p>Tasks that wait for it begin: ${waiting(limit)} now.</p>`,
      button: 'Remove 1 limit',
      run: async () => {
        await call('DELETE', path`/v1/limits/${limit.name}`);
        say('The limit is removed.');
      },
    });
    if (done) await this.refresh();
  }

  render() {
    const answer = this.limits.value;
    const limits = answer?.limits ?? [];
    return html`<div class="head">
        <h1>Limits</h1>
        ${answer && may('LimitService/SetLimit')
          ? html`<button type="button" class="primary" @click=${() => this.set()}>Set a limit…</button>`
          : nothing}
      </div>
      <p class="scope">
        Of tasks that name them, over all handlers and nodes. The use of a pattern, such as tenant:*, is that of all its names together; each
        name has the limit for itself.
      </p>
      ${this.limits.error && answer ? pendingOrAbsent(this.limits, 'its limits') : nothing}
      <section class="card">
        ${!answer
          ? pendingOrAbsent(this.limits, 'its limits')
          : limits.length
            ? this.renderTable(limits)
            : html`<k-empty text="No limit is set." command="kairos limit set 'tenant:*' --max-running 10"></k-empty>`}
      </section>
      ${this.name() ? this.renderUses() : nothing}`;
  }

  /** @param {any[]} limits */
  renderTable(limits) {
    return html`<table class="fold">
      <thead>
        <tr>
          <th scope="col">Limit</th>
          <th scope="col">Running</th>
          <th scope="col" class="num">Per second</th>
          <th scope="col" class="num">Burst</th>
          <th scope="col" class="num">Waiting</th>
          <th scope="col" class="num">Names</th>
          <th scope="col"><span class="unseen">Action</span></th>
        </tr>
      </thead>
      <tbody>
        ${limits.map((limit) => {
          const pattern = limit.name.endsWith('*');
          return html`<tr>
            <td data-label="Limit" class="name">
              <a href=${href('limits', { name: limit.name })} aria-current=${limit.name === this.name() ? 'true' : nothing}
                ><bdi>${plain(limit.name)}</bdi></a
              >
            </td>
            <td data-label="Running">
              <span class="nowrap"
                >${count(limit.running)}${limit.maxRunning === undefined
                  ? ', no limit'
                  : pattern
                    ? `, ${count(limit.maxRunning)} for each name`
                    : html` of ${count(limit.maxRunning)} ${use(limit.running, limit.maxRunning)}`}</span
              >
            </td>
            <td data-label="Per second" class="num">${limit.perSecond ? decimal(limit.perSecond) : '–'}</td>
            <td data-label="Burst" class="num">${limit.burst ? count(limit.burst) : '–'}</td>
            <td data-label="Waiting" class="num ${number(limit.waiting) ? '' : 'zero'}">${waiting(limit)}</td>
            <td data-label="Names" class="num ${number(limit.names) ? '' : 'zero'}">${count(limit.names)}</td>
            <td>
              <div class="row">
                ${may('LimitService/SetLimit')
                  ? html`<button type="button" class="small" @click=${() => this.set(limit)}>
                      Change…<span class="unseen"> ${plain(limit.name)}</span>
                    </button>`
                  : nothing}
                ${may('LimitService/RemoveLimit')
                  ? html`<button type="button" class="small" @click=${() => this.lift(limit)}>
                      Remove…<span class="unseen"> ${plain(limit.name)}</span>
                    </button>`
                  : nothing}
              </div>
            </td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }

  renderUses() {
    const answer = this.uses.value;
    const limit = this.limits.value?.limits?.find((/** @type {any} */ each) => each.name === this.name());
    const uses = answer?.uses ?? [];
    return html`<section class="card">
      <h2>Names for which <bdi>${plain(this.name())}</bdi> holds</h2>
      ${this.uses.error || !answer ? pendingOrAbsent(this.uses, 'this limit') : nothing}
      ${uses.length
        ? html`<table class="fold">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Running</th>
                <th scope="col" class="num">Waiting</th>
                <th scope="col" class="num">May begin at once</th>
              </tr>
            </thead>
            <tbody>
              ${uses.map(
                (/** @type {any} */ one) =>
                  html`<tr>
                    <td data-label="Name" class="name"><bdi>${plain(one.name)}</bdi></td>
                    <td data-label="Running">
                      <span class="nowrap"
                        >${count(one.running)}${limit?.maxRunning === undefined
                          ? nothing
                          : html` of ${count(limit.maxRunning)} ${use(one.running, limit.maxRunning)}`}</span
                      >
                    </td>
                    <td data-label="Waiting" class="num ${number(one.waiting) ? '' : 'zero'}">${waiting(one)}</td>
                    <td data-label="May begin at once" class="num">${one.tokens === undefined ? '–' : decimal(Math.floor(one.tokens))}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
        : answer
          ? html`<p class="muted">No task has lately used it.</p>`
          : nothing}
      <k-more ?first=${!this.params.has('page')} .next=${answer?.nextPageToken ?? ''}></k-more>
    </section>`;
  }
}
customElements.define('k-limits', LimitsElement);

/** @param {unknown} running @param {number} most */
function use(running, most) {
  return html`<meter aria-label="Use of the limit" min="0" max=${Math.max(1, most)} value=${number(running)}></meter>`;
}

/** @param {any} of a limit or a use */
function waiting(of) {
  return number(of.waiting) >= MOST_WAITING ? `${count(MOST_WAITING)}+` : count(of.waiting);
}
