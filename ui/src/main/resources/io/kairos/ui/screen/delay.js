// The delay queue: its routes, what waits, dead letters of a route, and a form that sends a delayed message.
import { call, may } from '../api.js';
import { isAbsent, pendingOrAbsent } from '../absent.js';
import { Screen, html, nothing } from '../element.js';
import { count, counted, number, plain } from '../format.js';
import { href } from '../link.js';
import '../part/bars.js';
import { badge, pending } from '../part/basic.js';
import '../part/letters.js';
import '../part/message.js';
import { barTime, spanOf, spanTabs } from '../part/waiting.js';

/** @type {[string, string][]} */
const AMENDMENTS = [
  ['applied', 'applied'],
  ['tooLate', 'too late'],
  ['unknownId', 'of an unknown id'],
];

class DelayElement extends Screen {
  constructor() {
    super();
    this.routes = this.poll(5, (signal) => call('GET', '/v1/routes', { signal })).of();
    this.counts = this.poll(10, (signal) =>
      may('ClusterService/CountWaiting')
        ? call('GET', '/v1/cluster/waiting', { params: { span: spanOf(this.params).id }, signal })
        : Promise.resolve({}),
    ).of('span');
  }

  render() {
    const answer = this.routes.value;
    const routes = answer?.routes ?? [];
    const absent = isAbsent(this.routes.error);
    return html`<div class="head"><h1>Delay queue</h1></div>
      <p class="scope">
        Of all nodes, told every five seconds. Takeovers and amendments count since the start of each node.
      </p>
      ${absent
        ? html`<p class="note">This node does not tell its routes. What waits and the form below work all the same.</p>`
        : this.routes.error && answer
          ? pending(this.routes)
          : nothing}
      ${absent
        ? nothing
        : !answer
          ? html`<section class="card">${pending(this.routes)}</section>`
          : routes.length
            ? routes.map((/** @type {any} */ route) => this.renderRoute(route))
            : html`<section class="card">
                <k-empty
                  text="No topics are configured here: the delay queue has no route."
                  command="kairos server --set kafka.bootstrap-servers=broker-1.example.com:9092"
                ></k-empty>
              </section>`}
      ${this.params.has('route') && !absent ? html`<k-letters .route=${this.route}></k-letters>` : nothing}
      <div class="grid">${this.renderWaiting()} ${may('TaskService/ScheduleTask') ? this.renderForm(routes) : nothing}</div>`;
  }

  /** @param {any} route */
  renderRoute(route) {
    const partitions = route.partitions ?? [];
    const lanes = route.lanes ?? [];
    const amendments = AMENDMENTS.map(([outcome, text]) => [number(route.amendments?.[outcome]), text]).filter(([times]) => times);
    const behind = partitions.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + number(each.lag), 0);
    return html`<section class="card">
      <div class="title">
        <h2><bdi>${plain(route.name)}</bdi></h2>
        ${route.served ? badge('served', 'good') : badge('not served', 'bad', 'No node reads its input')}
        ${route.deadLetters && may('RouteService/ListDeadLetters')
          ? html`<a class="button small" href=${href('delay', { route: route.name })}>Dead letters</a>`
          : nothing}
      </div>
      <div class="grid top">
        <dl class="facts">
          <dt>Input</dt>
          <dd><bdi>${plain(route.input)}</bdi></dd>
          <dt>Output</dt>
          <dd><bdi>${plain(route.output) || 'as each message says'}</bdi></dd>
          <dt>Waiting</dt>
          <dd>${number(route.waiting) ? (route.estimated ? 'about ' : '') + counted(route.waiting, 'message') : 'none'}</dd>
          <dt>Input lag</dt>
          <dd>
            ${partitions.length
              ? `${counted(behind, 'record')} in ${counted(partitions.length, 'partition')}`
              : 'no partition is read'}
          </dd>
          <dt>Takeovers</dt>
          <dd>${counted(route.takenOver, 'message')} taken over from other nodes</dd>
          <dt>Amendments</dt>
          <dd>
            ${amendments.length
              ? amendments.map(([times, text]) => `${count(/** @type {number} */ (times))} ${text}`).join(', ')
              : 'no cancel or reschedule yet'}
          </dd>
        </dl>
        <div>
          <h3>Lanes in trouble</h3>
          ${lanes.length
            ? html`<table>
                <thead>
                  <tr>
                    <th scope="col">Output partition</th>
                    <th scope="col">Node</th>
                    <th scope="col">Trouble</th>
                    <th scope="col" class="num">Due</th>
                  </tr>
                </thead>
                <tbody>
                  ${lanes.map(
                    (/** @type {any} */ lane) =>
                      html`<tr>
                        <td><bdi>${plain(lane.topic)}</bdi> ${lane.partition === -1 ? '' : (lane.partition ?? 0)}</td>
                        <td><bdi>${plain(lane.node)}</bdi></td>
                        <td class=${lane.trouble?.startsWith('dead') ? 'bad-text' : 'warn-text'}>${plain(lane.trouble)}</td>
                        <td class="num">${count(lane.queued)}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>`
            : html`<p class="muted">None: every output partition takes its messages in time.</p>`}
        </div>
      </div>
      ${partitions.length
        ? html`<details>
            <summary>Input partitions</summary>
            <table>
              <thead>
                <tr>
                  <th scope="col" class="num">Partition</th>
                  <th scope="col" class="num">Next offset</th>
                  <th scope="col" class="num">Lag</th>
                  <th scope="col">Read by</th>
                </tr>
              </thead>
              <tbody>
                ${partitions.map(
                  (/** @type {any} */ each) =>
                    html`<tr>
                      <td class="num">${each.partition ?? 0}</td>
                      <td class="num">${count(each.position)}</td>
                      <td class="num">${each.lag === undefined || each.lag === null ? 'not known' : count(each.lag)}</td>
                      <td><bdi>${plain(each.node)}</bdi></td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </details>`
        : nothing}
    </section>`;
  }

  renderWaiting() {
    const answer = this.counts.value;
    const bars = answer?.bars ?? [];
    const span = spanOf(this.params);
    const estimated = bars.some((/** @type {any} */ bar) => bar.estimated);
    const all = bars.reduce((/** @type {number} */ sum, /** @type {any} */ bar) => sum + number(bar.messages), 0);
    return html`<section class="card">
      <div class="title">
        <h2>Waiting messages, by due time</h2>
        ${spanTabs(span)}
      </div>
      ${pendingOrAbsent(this.counts, 'what waits')}
      ${!answer
        ? nothing
        : html`<p class="muted">
              ${count(answer.messages?.count, answer.messages?.estimated)} wait, whenever they are due;
              ${count(answer.overdueMessages?.count, answer.overdueMessages?.estimated)} are overdue. In this time ${count(all, estimated)}
              are due, by ${span.unit}; the first bar has also what is overdue.
            </p>
            ${bars.length
              ? html`<k-bars
                  .bars=${bars.map((/** @type {any} */ bar) => ({
                    label: `${barTime(span, bar)}: ${bar.estimated ? 'about ' : ''}${counted(bar.messages, 'message')}`,
                    values: [number(bar.messages)],
                  }))}
                  what="Waiting messages by ${span.unit}: ${count(all, estimated)} in all"
                  from=${barTime(span, bars[0])}
                  to=${barTime(span, bars.at(-1))}
                ></k-bars>`
              : nothing}`}
    </section>`;
  }

  /** @param {any[]} routes */
  renderForm(routes) {
    const topics = [...new Set(routes.map((route) => route.output).filter(Boolean))];
    return html`<section class="card">
      <h2>Send a delayed message</h2>
      <k-message .route=${this.route} .topics=${topics}></k-message>
    </section>`;
  }
}
customElements.define('k-delay', DelayElement);
