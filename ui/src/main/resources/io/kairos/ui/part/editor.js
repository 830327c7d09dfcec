// The definition of a schedule as a form, with a preview in English while it is filled in, and a dry run before it is stored.
import { ApiError, call } from '../api.js';
import { KElement, html, nothing } from '../element.js';
import { counted, fromInput, localInput, plain, seconds } from '../format.js';
import { forPreview, plannedTable, stepList } from '../schedules.js';
import { word } from './basic.js';
import { ask } from './dialog.js';

const QUIET_MILLIS = 400;
const SHOWN = 5;
const ZONES = Intl.supportedValuesOf('timeZone');
/** @type {[string, number][]} */
const UNITS = [
  ['seconds', 1],
  ['minutes', 60],
  ['hours', 3600],
  ['days', 86_400],
];
/** @type {[string, string][]} */
const RULES = [
  ['cron', 'cron expression'],
  ['every', 'fixed rate'],
  ['delayAfter', 'delay after each run'],
  ['at', 'once'],
  ['rrule', 'recurrence rule (RFC 5545)'],
];
/** @type {[string, string][]} */
const TARGETS = [
  ['handler', 'task for a handler'],
  ['pool', 'request to an HTTP pool'],
  ['topic', 'message on a topic'],
];

/** @param {any} schedule @param {[string, string][]} kinds @returns {string} */
function kindOf(schedule, kinds) {
  return (kinds.find(([kind]) => schedule?.[kind] !== undefined) ?? kinds[0])?.[0] ?? '';
}

/** A copy without what is empty, so that it gets its default. @param {any} value @returns {any} */
function compact(value) {
  if (Array.isArray(value)) return value.map(compact);
  if (typeof value !== 'object' || value === null) return value;
  /** @type {Record<string, unknown>} */
  const kept = {};
  for (const [name, each] of Object.entries(value)) {
    const inner = compact(each);
    const empty = inner === undefined || inner === '' || (typeof inner === 'object' && inner !== null && !Object.keys(inner).length);
    if (!empty) kept[name] = inner;
  }
  return kept;
}

/** The form. It tells by the event saved that the schedule of the name in the detail is stored, and by back that it is not. */
class EditorElement extends KElement {
  static properties = {
    base: { attribute: false },
    rule: { state: true },
    target: { state: true },
    preview: { state: true },
    error: { state: true },
    refused: { state: true },
    busy: { state: true },
    calendars: { state: true },
  };

  constructor() {
    super();
    /** The stored schedule; undefined for a new one. @type {any} */
    this.base = undefined;
    this.rule = '';
    this.target = '';
    /** @type {any} */
    this.preview = undefined;
    /** Why there is no preview. @type {unknown} */
    this.error = undefined;
    /** Why it cannot be stored. @type {unknown} */
    this.refused = undefined;
    /** True from a submit until its dialog is closed. */
    this.busy = false;
    /** All business calendars. @type {any[]} */
    this.calendars = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {AbortController | undefined} */
    this.asking = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    call('GET', '/v1/calendars', { params: { pageSize: 1000 } }).then(
      (answer) => (this.calendars = answer.calendars ?? []),
      // Without their names the form shows those that the schedule uses.
      () => undefined,
    );
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
    this.asking?.abort();
    super.disconnectedCallback();
  }

  willUpdate() {
    this.rule ||= kindOf(this.base, RULES);
    this.target ||= kindOf(this.base?.target, TARGETS);
  }

  firstUpdated() {
    if (this.base) void this.show();
  }

  /** @param {Event} event */
  input(event) {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (field.name === 'rule') this.rule = field.value;
    if (field.name === 'target') this.target = field.value;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.updateComplete.then(() => this.show()), QUIET_MILLIS);
  }

  /** Asks for the preview of what is in the form. */
  async show() {
    const rule = forPreview({ ...this.definition(), createdAt: this.base?.createdAt });
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    if (!RULES.some(([kind]) => kind in rule && rule[/** @type {keyof typeof rule} */ (kind)] !== undefined)) {
      this.preview = this.error = undefined;
      return;
    }
    try {
      const preview = await call('POST', '/v1/schedules:preview', { body: { schedule: rule, count: SHOWN }, signal: asking.signal });
      if (asking.signal.aborted) return;
      this.preview = preview;
      this.error = undefined;
    } catch (error) {
      if (asking.signal.aborted) return;
      this.error = error;
    }
  }

  /** The definition in the form, with what the form does not show as it was. @returns {any} */
  definition() {
    const form = new FormData(/** @type {HTMLFormElement} */ (this.querySelector('form')));
    /** @type {any} */
    const base = this.base ?? {};
    const text = (/** @type {string} */ name) => String(form.get(name) ?? '').trim();
    const time = (/** @type {string} */ name, /** @type {string | undefined} */ was) =>
      was && localInput(was) === text(name) ? was : fromInput(text(name));
    const length = (/** @type {string} */ name) =>
      text(name) ? `${Number((Number(text(name)) * Number(text(`${name}Unit`))).toFixed(9))}s` : '';
    const whole = (/** @type {string} */ name) => (text(name) ? Number(text(name)) : undefined);
    /** @type {Record<string, () => unknown>} */
    const rules = {
      cron: () =>
        text('expression') ? { ...base.cron, expression: text('expression'), dialect: text('dialect'), dayMatch: text('dayMatch') } : '',
      every: () => length('every'),
      delayAfter: () => length('delayAfter'),
      at: () => time('at', base.at),
      rrule: () => text('rrule'),
    };
    const payload = String(form.get('payload') ?? '');
    const calendars = [...form.entries()]
      .filter(([name, use]) => name.startsWith('calendar:') && use)
      .map(([name, use]) => ({ name: name.slice('calendar:'.length), use }));
    const { text: _, json: __, payload: ___, handler: ____, pool, topic, ...marks } = base.target ?? {};
    const definition = compact({
      name: base.name ?? text('name'),
      [this.rule]: rules[this.rule]?.(),
      timeZone: text('timeZone'),
      dst: { gap: text('gap'), overlap: text('repeated') },
      calendars,
      startAt: time('startAt', base.startAt),
      endAt: time('endAt', base.endAt),
      maxRuns: text('maxRuns'),
      spread: length('spread'),
      target: {
        ...(this.target === 'topic'
          ? {}
          : {
              ...marks,
              priority: whole('priority'),
              key: text('key'),
              collection: text('collection'),
              fairnessKey: text('fairnessKey'),
              fairnessWeight: whole('fairnessWeight'),
            }),
        ...{
          handler: { handler: text('handler') },
          pool: { pool: { ...pool, name: text('pool'), method: text('method'), path: text('path') } },
          topic: { topic: { ...topic, name: text('topic') } },
        }[this.target],
        ...(this.isBinary() ? { payload: payload.trim() } : { text: payload }),
      },
      policies: {
        ...base.policies,
        overlap: text('overlap'),
        catchUp: { mode: text('catchUp'), window: length('window'), max: whole('most') },
        retryPolicy: { ...base.policies?.retryPolicy, maxAttempts: whole('maxAttempts') },
        startDeadline: length('startDeadline'),
        executionTimeout: length('executionTimeout'),
        pauseOnFailure: form.has('pauseOnFailure') || undefined,
      },
      decider: text('decider'),
      etag: base.etag,
    });
    // The form shows steps and does not change them.
    if (base.steps?.length) definition.steps = base.steps;
    // An empty key of a message is another than none.
    if (this.target === 'topic' && topic?.key === '' && definition.target?.topic) definition.target.topic.key = '';
    return definition;
  }

  /** True when the payload is no text. */
  isBinary() {
    const target = this.base?.target;
    return !!target?.payload && target.text === undefined && target.json === undefined;
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    try {
      await this.check(this.definition());
    } finally {
      this.busy = false;
    }
  }

  /** Asks before it is stored. @param {any} schedule */
  async check(schedule) {
    this.refused = undefined;
    /** @type {any} */
    let dry;
    try {
      // A dry run that fails is a mistake in the form, so it is said there.
      dry = await call('POST', '/v1/schedules:apply', { body: { schedule, dryRun: true } });
    } catch (error) {
      this.refused = error;
      await this.updateComplete;
      this.querySelector('.refused')?.scrollIntoView({ block: 'nearest' });
      return;
    }
    const changes = dry.changes ?? [];
    const taken = !this.base && dry.outcome !== 'CREATED';
    const done = await ask({
      heading: this.base ? `Change ${plain(schedule.name)}` : `Create ${plain(schedule.name)}`,
      prepare: async () => dry,
      possible: () => !taken && dry.outcome !== 'UNCHANGED',
      body: html`<p>
          ${taken
            ? 'A schedule of this name exists already. Choose another name, or change that one.'
            : dry.outcome === 'UNCHANGED'
              ? 'Nothing is different.'
              : this.base
                ? 'Fire times that are due already are decided by the former definition, later ones by the new one.'
                : 'It will fire by its rule from now on.'}
        </p>
        ${dry.schedule?.description && !taken ? html`<p><strong>${plain(dry.schedule.description)}</strong></p>` : nothing}
        ${changes.length && this.base ? changeTable(changes) : nothing}`,
      button: this.base ? `Change ${counted(changes.length, 'field')}` : 'Create 1 schedule',
      run: () =>
        this.base ? call('POST', '/v1/schedules:apply', { body: { schedule } }) : call('POST', '/v1/schedules', { body: schedule }),
    });
    if (done && this.isConnected) this.dispatchEvent(new CustomEvent('saved', { detail: schedule.name }));
  }

  render() {
    /** @type {any} */
    const base = this.base ?? {};
    return html`<form class="card edit" @submit=${this.submit} @input=${this.input}>
      <div class="filters">
        ${this.base
          ? nothing
          : html`<label
              >Name<input name="name" required maxlength="128" autocomplete="off" spellcheck="false" placeholder="reports/daily"
            /></label>`}
        ${select('rule', 'Rule', this.rule, RULES)} ${this.renderRule(base)}
      </div>
      <div class="preview" role="status">
        ${this.error
          ? html`<p class="bad-text">${plain(this.error instanceof ApiError ? this.error.message : String(this.error))}</p>`
          : this.preview
            ? html`<p><strong>${plain(this.preview.description)}</strong></p>`
            : html`<p class="muted">What the rule means is said here.</p>`}
      </div>
      ${this.preview?.fires?.length && !this.error ? plannedTable(this.preview.fires) : nothing} ${this.renderTarget(base.target ?? {})}
      ${this.renderTimes(base)} ${this.renderPolicies(base)}
      ${this.refused ? html`<div class="refused"><k-problem .error=${this.refused}></k-problem></div>` : nothing}
      <p class="actions">
        <button type="button" @click=${() => this.dispatchEvent(new CustomEvent('back'))}>Back</button>
        <button type="submit" class="primary" ?disabled=${this.busy}>${this.base ? 'Show what changes…' : 'Check and create…'}</button>
      </p>
    </form>`;
  }

  /** @param {any} base */
  renderRule(base) {
    const zone = html`<label
      >Time zone<input
        name="timeZone"
        list="zones"
        placeholder="UTC"
        .defaultValue=${base.timeZone ?? ''}
        autocomplete="off"
        spellcheck="false"
      /><datalist id="zones">${ZONES.map((each) => html`<option value=${each}></option>`)}</datalist></label
    >`;
    switch (this.rule) {
      case 'cron':
        return html`<label
            >Expression<input
              name="expression"
              class="mono"
              required
              placeholder="0 9 * * MON-FRI"
              .defaultValue=${base.cron?.expression ?? ''}
              autocomplete="off"
              spellcheck="false" /></label
          >${zone}`;
      case 'rrule':
        return html`<label
            >Recurrence rule<input
              name="rrule"
              class="mono"
              required
              placeholder="FREQ=MONTHLY;BYDAY=3MO;BYHOUR=9"
              .defaultValue=${base.rrule ?? ''}
              autocomplete="off"
              spellcheck="false" /></label
          >${zone}`;
      case 'at':
        return html`<label>At, local time<input name="at" type="datetime-local" required .defaultValue=${localInput(base.at)} /></label>`;
      default:
        return length(this.rule, this.rule === 'every' ? 'Every' : 'After the end of each run', base[this.rule], true);
    }
  }

  /** @param {any} target */
  renderTarget(target) {
    const name = { handler: target.handler, pool: target.pool?.name, topic: target.topic?.name }[this.target] ?? '';
    return html`<fieldset>
      <legend>What each fire does</legend>
      <div class="filters">
        ${select('target', 'Kind', this.target, TARGETS)}
        <label
          >${{ handler: 'Handler', pool: 'Pool', topic: 'Topic' }[this.target]}<input
            name=${this.target}
            required
            maxlength="249"
            .defaultValue=${name}
            autocomplete="off"
            spellcheck="false"
        /></label>
        ${this.target === 'pool'
          ? html`${select('method', 'Method', target.pool?.method ?? '', options(['POST', 'PUT', 'PATCH', 'GET', 'DELETE'], 'POST'))}
              <label>Path<input name="path" placeholder="/" .defaultValue=${target.pool?.path ?? ''} autocomplete="off" /></label>`
          : nothing}
        <label class="all"
          >${this.isBinary() ? 'Payload in base64: it is no text' : 'Payload, text or JSON'}<textarea
            name="payload"
            rows="3"
            spellcheck="false"
            .defaultValue=${this.isBinary()
              ? target.payload
              : (target.text ?? (target.json === undefined ? '' : JSON.stringify(target.json)))}
          ></textarea>
        </label>
      </div>
      ${this.base?.steps?.length
        ? html`<p>Then, of the same run:</p>
            ${stepList(this.base.steps)}
            <p class="muted">Steps are changed by <code>kairos schedule apply</code>.</p>`
        : nothing}
    </fieldset>`;
  }

  /** @param {any} base */
  renderTimes(base) {
    const used = new Map((base.calendars ?? []).map((/** @type {any} */ each) => [each.name, each.use ?? 'ONLY_DURING']));
    const names = [...new Set([...used.keys(), ...this.calendars.map((each) => each.name)])];
    return html`<details ?open=${used.size > 0}>
      <summary>Calendars, clock changes and bounds</summary>
      <div class="filters">
        ${names.map((name) =>
          select(
            `calendar:${name}`,
            `Calendar ${plain(name)}`,
            used.get(name) ?? '',
            options(['ONLY_DURING', 'NOT_DURING', 'WORKING_DAYS'], 'not used'),
          ),
        )}
        ${this.rule === 'cron' || this.rule === 'rrule'
          ? html`${select('gap', 'A local time that clocks skip', base.dst?.gap ?? '', options(['RUN_AFTER', 'SKIP'], 'run after'))}
            ${select('repeated', 'A local time that exists twice', base.dst?.overlap ?? '', options(['FIRST', 'BOTH'], 'first'))}`
          : nothing}
        ${this.rule === 'cron'
          ? html`${select('dialect', 'Days of the week', base.cron?.dialect ?? '', options(['UNIX', 'QUARTZ'], 'unix: Sunday is 0 or 7'))}
            ${select('dayMatch', 'Day of month and of week', base.cron?.dayMatch ?? '', options(['EITHER', 'BOTH'], 'either'))}`
          : nothing}
        <label>Not before<input name="startAt" type="datetime-local" .defaultValue=${localInput(base.startAt)} /></label>
        <label>Before<input name="endAt" type="datetime-local" .defaultValue=${localInput(base.endAt)} /></label>
        <label
          >Fires, at most<input name="maxRuns" type="number" min="1" step="1" .defaultValue=${base.maxRuns ?? ''} placeholder="no limit"
        /></label>
        ${length('spread', 'Spread the load over', base.spread)}
      </div>
    </details>`;
  }

  /** @param {any} base */
  renderPolicies(base) {
    const policies = base.policies ?? {};
    const target = base.target ?? {};
    return html`<details>
      <summary>Overlap, outages, retries and labels</summary>
      <div class="filters">
        ${select(
          'overlap',
          'While a former run is unfinished',
          policies.overlap ?? '',
          options(['SKIP', 'BUFFER_ONE', 'BUFFER_ALL', 'CANCEL_OTHER', 'ALLOW_ALL'], this.target === 'topic' ? 'allow all' : 'skip'),
        )}
        ${select('catchUp', 'Fire times that were missed', policies.catchUp?.mode ?? '', options(['NONE', 'LATEST', 'ALL'], 'latest'))}
        ${length('window', 'Missed ones, at most this old', policies.catchUp?.window)}
        <label
          >Missed ones to fire, at most<input
            name="most"
            type="number"
            min="1"
            max="1000"
            step="1"
            .defaultValue=${policies.catchUp?.max || ''}
            placeholder="100"
        /></label>
        ${this.target === 'topic'
          ? nothing
          : html`<label
                >Attempts, at most<input
                  name="maxAttempts"
                  type="number"
                  min="1"
                  step="1"
                  .defaultValue=${policies.retryPolicy?.maxAttempts || ''}
                  placeholder="as the handler says"
              /></label>
              ${length('startDeadline', 'Begin within, after the due time', policies.startDeadline)}
              ${length('executionTimeout', 'An attempt lasts at most', policies.executionTimeout)}
              <label
                >Priority, 0 to 100<input
                  name="priority"
                  type="number"
                  min="0"
                  max="100"
                  step="1"
                  .defaultValue=${target.priority ?? ''}
                  placeholder="50"
              /></label>
              <label>Ordering key<input name="key" maxlength="256" .defaultValue=${target.key ?? ''} autocomplete="off" /></label>
              <label
                >Collection<input name="collection" maxlength="128" .defaultValue=${target.collection ?? ''} autocomplete="off"
              /></label>
              <label
                >Fairness key<input name="fairnessKey" maxlength="256" .defaultValue=${target.fairnessKey ?? ''} autocomplete="off"
              /></label>
              <label
                >Its weight, 1 to 1000<input
                  name="fairnessWeight"
                  type="number"
                  min="1"
                  max="1000"
                  step="1"
                  .defaultValue=${target.fairnessWeight ?? ''}
                  placeholder="1"
              /></label>`}
        ${select('decider', 'Who decides', base.decider ?? '', options(['NODE', 'REPLICATED'], 'node'))}
        <label class="check"
          ><input type="checkbox" name="pauseOnFailure" .defaultChecked=${policies.pauseOnFailure === true} /> Pause it when its task has
          failed for good</label
        >
      </div>
    </details>`;
  }
}
customElements.define('k-editor', EditorElement);

/** @param {string[]} values @param {string} none what holds without a choice @returns {[string, string][]} */
function options(values, none) {
  return [['', none], ...values.map((value) => /** @type {[string, string]} */ ([value, word(value)]))];
}

/** @param {string} name @param {string} label @param {string} value @param {[string, string][]} choices */
function select(name, label, value, choices) {
  return html`<label
    >${label}<select name=${name}>
      ${choices.map(([each, text]) => html`<option value=${each} .defaultSelected=${each === value}>${text}</option>`)}
    </select></label
  >`;
}

/** A length of time: a number and its unit. @param {string} name @param {string} label @param {string | undefined} value @param {boolean} [required] */
function length(name, label, value, required = false) {
  const all = seconds(value) ?? 0;
  const [, unit] = UNITS.findLast(([, each]) => all && all % each === 0) ?? ['', all ? 1 : 60];
  return html`<fieldset class="length">
    <legend>${label}</legend>
    <input
      name=${name}
      aria-label=${label}
      type="number"
      min="0"
      step="any"
      ?required=${required}
      .defaultValue=${all ? String(all / unit) : ''}
    /><select name="${name}Unit" aria-label="Unit of: ${label}">
      ${UNITS.map(([text, each]) => html`<option value=${each} .defaultSelected=${each === unit}>${text}</option>`)}
    </select>
  </fieldset>`;
}

/** @param {any[]} changes */
function changeTable(changes) {
  return html`<div class="changes">
    <table>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        ${changes.map(
          (change) =>
            html`<tr>
              <td><code>${plain(change.field)}</code></td>
              <td><k-text .value=${change.before || '–'} .max=${200}></k-text></td>
              <td><k-text .value=${change.after || '–'} .max=${200}></k-text></td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
