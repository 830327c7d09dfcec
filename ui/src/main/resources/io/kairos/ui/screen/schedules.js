// All schedules, and the calendar of their next fire times: where they pile up.
import { call, may, serverTime } from '../api.js';
import { dayOf, evenRanges, plusDays } from '../rules.js';
import { Screen, html, nothing, searched } from '../element.js';
import { clock, count, counted, number, plain } from '../format.js';
import { go, href, search, segment, setParams } from '../link.js';
import { nameList, pending } from '../part/basic.js';
import '../part/bars.js';
import '../part/editor.js';
import { scheduleLink, scheduleState, targetText } from '../schedules.js';

const STATES = ['ACTIVE', 'PAUSED', 'ENDED'];
const DAYS = 30;
const LISTED = 500;
const GROUPS = 30;
const LEVELS = 4;
const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

class SchedulesElement extends Screen {
  constructor() {
    super();
    this.schedules = this.poll(
      10,
      (signal) =>
        call('GET', '/v1/schedules', {
          params: {
            prefix: this.params.get('prefix'),
            states: this.params.getAll('state'),
            pageToken: this.params.get('page'),
            pageSize: 100,
          },
          signal,
        }),
      () => this.params.has('page'),
    ).of('prefix', 'state', 'page');
    this.month = this.poll(60, (signal) => this.loadMonth(signal)).of('view', 'prefix');
    this.day = this.poll(30, (signal) => {
      const from = this.chosenDay();
      return this.planned(from, plusDays(from, 1), LISTED, signal);
    })
      .of('view', 'prefix', 'day')
      .about('day');
    /** The last of the calls that count, one after the other: a node counts for few at a time. @type {Promise<unknown>} */
    this.counting = Promise.resolve();
  }

  /** @param {AbortSignal} signal */
  async loadMonth(signal) {
    if (!this.isCalendar()) return undefined;
    const answers = [];
    for (const [from, to] of evenRanges(this.today(), DAYS)) answers.push(await this.planned(from, to, 0, signal));
    return { parts: answers.flatMap((answer) => answer.parts ?? []), incomplete: answers.some((answer) => answer.incomplete) };
  }

  /** True when the calendar is shown instead of the list. */
  isCalendar() {
    return this.params.get('view') === 'calendar' && may('ScheduleService/ListPlannedFires');
  }

  today() {
    return plusDays(new Date(serverTime()), 0);
  }

  /** The day whose fire times are listed: midnight, local. */
  chosenDay() {
    const given = new Date(`${this.params.get('day') ?? ''}T00:00`);
    return Number.isNaN(given.getTime()) ? this.today() : given;
  }

  /** @param {Date} from @param {Date} to @param {number} listed @param {AbortSignal} signal */
  planned(from, to, listed, signal) {
    if (!this.isCalendar()) return Promise.resolve(undefined);
    // The parts begin with the time, so that it begins with a local day; what has fired is not planned any more.
    const params = { notBefore: from.toISOString(), before: to.toISOString(), count: listed, prefix: this.params.get('prefix') };
    const asked = this.counting.then(() => {
      signal.throwIfAborted();
      return call('GET', '/v1/plannedFires', { params, signal });
    });
    this.counting = asked.catch(() => undefined);
    return asked;
  }

  /** @param {Event} event */
  submit(event) {
    event.preventDefault();
    const { view, day } = Object.fromEntries(this.params);
    go(href('schedules', search({ ...searched(/** @type {HTMLFormElement} */ (event.currentTarget), this.params), view, day })));
  }

  render() {
    if (this.params.has('new') && may('ScheduleService/CreateSchedule'))
      return html`<div class="head"><h1>New schedule</h1></div>
        <k-editor
          @saved=${(/** @type {CustomEvent<string>} */ event) => go(href(`schedules/${segment(event.detail)}`))}
          @back=${() => go(href('schedules'))}
        ></k-editor>`;
    return html`<div class="head">
        <h1>Schedules</h1>
        ${may('ScheduleService/ListPlannedFires')
          ? html`<div class="tabs" role="group" aria-label="Form">
              <button type="button" aria-pressed=${!this.isCalendar()} @click=${() => setParams({ view: '', day: '', from: '' })}>
                List</button
              ><button type="button" aria-pressed=${this.isCalendar()} @click=${() => setParams({ view: 'calendar', page: '' })}>
                Calendar
              </button>
            </div>`
          : nothing}
        ${may('ScheduleService/CreateSchedule') ? html`<a class="button" href=${href('schedules', { new: 1 })}>New schedule</a>` : nothing}
      </div>
      <form class="card search" @submit=${this.submit} aria-label="Search">
        <div class="filters">
          <label>Name begins with<input name="prefix" data-search maxlength="128" autocomplete="off" spellcheck="false" /></label>
          <fieldset ?hidden=${this.isCalendar()}>
            <legend>State</legend>
            <div class="choices">
              ${STATES.map(
                (state) =>
                  html`<label
                    ><input
                      type="checkbox"
                      name="state"
                      value=${state}
                      @change=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).form?.requestSubmit()}
                    />${state.toLowerCase()}</label
                  >`,
              )}
            </div>
          </fieldset>
          <div class="row">
            <button type="submit" class="primary">Search</button>${this.isFiltered()
              ? html`<a class="button" href="/ui/schedules">Clear</a>`
              : nothing}
          </div>
        </div>
      </form>
      ${this.isCalendar() ? html`<div class="grid top">${this.renderMonth()} ${this.renderDay()}</div>` : this.renderList()}`;
  }

  renderList() {
    const answer = this.schedules.value;
    const schedules = answer?.schedules ?? [];
    return html`${pending(this.schedules)}
      <section class="card ${this.schedules.waiting && answer ? 'stale' : ''}">
        <h2>Schedules by name</h2>
        ${!answer
          ? nothing
          : schedules.length
            ? this.renderTable(schedules)
            : answer.nextPageToken
              ? html`<p class="empty">Nothing found yet: one call looks at a bounded number of schedules. Search on for more.</p>`
              : this.isFiltered()
              ? html`<k-empty text="No schedule matches."></k-empty>`
              : html`<k-empty
                  text="There are no schedules yet."
                  command="kairos schedule create reports/daily --cron '0 9 * * MON-FRI' --handler report"
                ></k-empty>`}
        <k-more ?first=${!this.params.has('page')} .next=${answer?.nextPageToken ?? ''} .incomplete=${!schedules.length}></k-more>
      </section>`;
  }

  isFiltered() {
    return this.params.has('prefix') || this.params.has('state');
  }

  /** @param {any[]} schedules */
  renderTable(schedules) {
    return html`<table class="fold">
      <thead>
        <tr>
          <th scope="col">Schedule</th>
          <th scope="col">State</th>
          <th scope="col">Fires</th>
          <th scope="col">Next fire time</th>
          <th scope="col">Makes</th>
        </tr>
      </thead>
      <tbody>
        ${schedules.map(
          (schedule) =>
            html`<tr>
              <td data-label="Schedule" class="name">${scheduleLink(schedule.name)}</td>
              <td data-label="State">
                ${scheduleState(schedule)}${schedule.note ? html`<span class="sub"><bdi>${plain(schedule.note)}</bdi></span>` : nothing}
              </td>
              <td data-label="Fires" class="wide">
                <span>${plain(schedule.description)}</span>${schedule.timeZone
                  ? html`<span class="sub">zone ${plain(schedule.timeZone)}</span>`
                  : nothing}
              </td>
              <td data-label="Next fire time"><k-time .value=${schedule.nextFireTime}></k-time></td>
              <td data-label="Makes" class="name">
                ${targetText(schedule.target)}${schedule.steps?.length
                  ? html`<span class="sub">and ${counted(schedule.steps.length, 'step')}</span>`
                  : nothing}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  renderMonth() {
    const answer = this.month.value;
    if (!answer || this.month.error)
      return html`<section class="card">
        <h2>The next ${DAYS} days</h2>
        ${pending(this.month)}
      </section>`;
    /** @type {Map<string, {fires: number, schedules: number}>} */
    const days = new Map();
    for (const part of answer.parts ?? []) {
      const day = dayOf(new Date(part.at));
      const before = days.get(day);
      // Two parts begin on one local day when clocks go back, and some when only a day or an hour is left of a range.
      days.set(day, {
        fires: (before?.fires ?? 0) + number(part.fires),
        schedules: Math.max(before?.schedules ?? 0, number(part.schedules)),
      });
    }
    const most = Math.max(1, ...[...days.values()].map((each) => each.fires));
    const all = [...days.values()].reduce((sum, each) => sum + each.fires, 0);
    const today = this.today();
    const chosen = dayOf(this.chosenDay());
    return html`<section class="card">
      <div class="title"><h2>The next ${DAYS} days</h2></div>
      <p class="muted">
        ${answer.incomplete ? 'At least ' : ''}${counted(all, 'planned fire time')}${this.params.has('prefix')
          ? ' of the schedules that match'
          : ' of all schedules'},
        by local day. Paused schedules have none.
      </p>
      <div class="month week" aria-hidden="true">${WEEK.map((each) => html`<span>${each}</span>`)}</div>
      <ol class="month">
        ${Array.from({ length: (today.getDay() + 6) % 7 }, () => html`<li aria-hidden="true"></li>`)}
        ${Array.from({ length: DAYS }, (_, at) => {
          const date = plusDays(today, at);
          const day = dayOf(date);
          const { fires = 0, schedules = 0 } = days.get(day) ?? {};
          const level = fires ? Math.max(1, Math.ceil((fires / most) * LEVELS)) : 0;
          const text = `${day}: ${counted(fires, 'fire time')} of ${counted(schedules, 'schedule')}`;
          return html`<li>
            <a
              class="level${level}"
              href=${href('schedules', { ...Object.fromEntries(this.params), state: this.params.getAll('state'), day, from: '' })}
              aria-label=${text}
              title=${text}
              aria-current=${day === chosen ? 'date' : nothing}
              ><span>${date.getDate() === 1 || !at ? day.slice(5) : date.getDate()}</span><strong>${fires ? short(fires) : ''}</strong></a
            >
          </li>`;
        })}
      </ol>
    </section>`;
  }

  renderDay() {
    const answer = this.day.value;
    const day = dayOf(this.chosenDay());
    const heading = html`<h2>${day === dayOf(this.today()) ? 'The rest of today' : day}</h2>`;
    if (!answer || this.day.error) return html`<section class="card">${heading}${pending(this.day)}</section>`;
    const parts = answer.parts ?? [];
    const all = parts.reduce((/** @type {number} */ sum, /** @type {any} */ part) => sum + number(part.fires), 0);
    const peak = parts.reduce(
      (/** @type {any} */ most, /** @type {any} */ part) => (number(part.fires) > number(most?.fires) ? part : most),
      undefined,
    );
    const sentence = peak
      ? `${answer.incomplete ? 'At least ' : ''}${counted(all, 'fire time')}; the most, ${count(peak.fires)} of ${counted(peak.schedules, 'schedule')}, from ${clock(peak.at)}.`
      : 'No fire time is planned.';
    /** @type {Map<string, string[]>} */
    const groups = new Map();
    for (const fire of answer.fires ?? []) {
      const group = groups.get(fire.fireTime) ?? [];
      group.push(fire.schedule);
      groups.set(fire.fireTime, group);
    }
    const from = this.params.get('from') ?? '';
    const shown = [...groups].filter(([time]) => !from || new Date(time) >= new Date(from));
    const page = shown.slice(0, GROUPS);
    const next = shown[GROUPS]?.[0] ?? '';
    const listed = answer.fires?.length ?? 0;
    return html`<section class="card ${this.day.waiting ? 'stale' : ''}">
      ${heading}
      <p class="muted">${sentence}</p>
      ${parts.length
        ? html`<k-bars
            .bars=${parts.map((/** @type {any} */ part) => ({
              label: `${clock(part.at)}: ${counted(part.fires, 'fire time')} of ${counted(part.schedules, 'schedule')}`,
              values: [number(part.fires)],
            }))}
            what="Fire times over the day. ${sentence}"
            from=${clock(parts[0].at)}
            to=${clock(new Date(plusDays(this.chosenDay(), 1).getTime() - 60_000))}
          ></k-bars>`
        : nothing}
      ${page.length
        ? html`<table class="times">
            <thead>
              <tr>
                <th scope="col">Fire time</th>
                <th scope="col" class="num">Schedules</th>
                <th scope="col">Which</th>
              </tr>
            </thead>
            <tbody>
              ${page.map(
                ([time, names]) =>
                  html`<tr>
                    <td class="nowrap">
                      ${clock(time)}:${time.slice(17, 19)}<span class="sub"><k-time .value=${time}></k-time></span>
                    </td>
                    <td class="num">${count(names.length)}</td>
                    <td>${nameList(names, scheduleLink)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
        : nothing}
      ${!next && all > listed ? html`<p class="muted">The first ${count(listed)} fire times of the day are listed.</p>` : nothing}
      ${from || next
        ? html`<nav class="more" aria-label="Times of the day">
            ${from ? html`<button type="button" @click=${() => setParams({ from: '' })}>First</button>` : nothing}
            ${next ? html`<button type="button" @click=${() => setParams({ from: next })}>Later</button>` : nothing}
          </nav>`
        : nothing}
    </section>`;
  }
}
customElements.define('k-schedules', SchedulesElement);

/** A count that fits into a day of the calendar: 940, 12k, 3M. @param {number} value */
function short(value) {
  return value < 1000 ? String(value) : value < 1_000_000 ? `${Math.round(value / 1000)}k` : `${Math.round(value / 1_000_000)}M`;
}
