// Pools of HTTP endpoints: which endpoints serve, what is in flight, and the signing keys.
import { call, may, path } from '../api.js';
import { Screen, html, nothing } from '../element.js';
import { count, counted, duration, number, plain } from '../format.js';
import { href } from '../link.js';
import { badge, handlerLink, pending, word } from '../part/basic.js';
import { ask, say } from '../part/dialog.js';

/** The handler to which the tasks of a pool belong. @param {string} name */
function handlerOf(name) {
  return `pool:${name}`;
}

class PoolsElement extends Screen {
  static properties = { secret: { state: true } };

  constructor() {
    super();
    /** A new secret, which is shown once. @type {{pool: string, value: string} | undefined} */
    this.secret = undefined;
    this.pools = this.poll(10, (signal) =>
      call('GET', '/v1/pools', { params: { pageToken: this.params.get('page'), pageSize: 100 }, signal }),
    ).of('page');
    this.pool = this.poll(5, (signal) => {
      const name = this.params.get('pool');
      return name ? call('GET', path`/v1/pools/${name}`, { signal }) : Promise.resolve(null);
    })
      .of('pool')
      .about('pool');
    this.handler = this.poll(
      5,
      async (signal) => {
        const name = this.params.get('pool');
        if (!name || !may('HandlerService/GetHandler')) return null;
        // A pool that has never had a task has no handler yet.
        return call('GET', path`/v1/handlers/${handlerOf(name)}`, { signal }).catch((error) => {
          if (error.status === 404) return null;
          throw error;
        });
      },
      (last) => last === null,
    )
      .of('pool')
      .about('pool');
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    super.willUpdate(changed);
    if (this.secret && this.secret.pool !== this.params.get('pool')) this.secret = undefined;
  }

  /** @param {any} pool */
  async rotate(pool) {
    const done = await ask({
      heading: `New signing key for ${plain(pool.name)}`,
      body: html`<p>
          Nodes sign with the new secret at once, and with the former one too until the overlap ends, so that receivers can switch. A secret
          that is still being retired is dropped. The new secret is shown once.
        </p>
        <label
          >Overlap in hours <input type="number" name="overlap" min="0" max="8760" step="any" .defaultValue=${'24'} required
        /></label>`,
      button: 'Rotate 1 key',
      run: async (form) => {
        const overlap = `${Math.round(Number(form.get('overlap')) * 3600)}s`;
        const answer = await call('POST', path`/v1/pools/${pool.name}:rotateKey`, { body: { overlap } });
        const value = answer.keys?.[0]?.secret ?? '';
        say('The key is rotated.');
        return { pool: pool.name, value };
      },
    });
    if (!done) return;
    this.secret = done;
    await this.refresh();
  }

  render() {
    const answer = this.pools.value;
    const pools = answer?.pools ?? [];
    const unreadable = answer?.unreadable ?? [];
    return html`<div class="head"><h1>Pools</h1></div>
      <p class="scope">
        Endpoints and their state are as the node that answers sees them; their requests and answers are those of all nodes.
      </p>
      ${this.params.has('pool') ? this.renderPool() : nothing} ${this.pools.error && answer ? pending(this.pools) : nothing}
      ${unreadable.length
        ? html`<div class="note">
            ${unreadable.map(
              (/** @type {any} */ each) =>
                html`<p>
                  This node cannot read the pool <strong><bdi>${plain(each.name)}</bdi></strong
                  >: ${plain(each.reason)}
                </p>`,
            )}
          </div>`
        : nothing}
      <section class="card ${this.pools.waiting && answer ? 'stale' : ''}">
        <h2>Pools by name</h2>
        ${!answer
          ? pending(this.pools)
          : pools.length
            ? this.renderTable(pools)
            : html`<k-empty text="There are no pools." command="kairos pool create billing --url http://127.0.0.1:8080/jobs"></k-empty>`}
        <k-more ?first=${!this.params.has('page')} .next=${answer?.nextPageToken ?? ''}></k-more>
      </section>`;
  }

  /** @param {any[]} pools */
  renderTable(pools) {
    return html`<table class="fold">
      <thead>
        <tr>
          <th scope="col">Pool</th>
          <th scope="col">Endpoints</th>
          <th scope="col">State</th>
          <th scope="col" class="num">In flight</th>
          <th scope="col">Routing</th>
          <th scope="col" class="num">Concurrent per node</th>
          <th scope="col" class="num">Timeout</th>
        </tr>
      </thead>
      <tbody>
        ${pools.map((pool) => {
          const all = pool.endpointStatuses ?? [];
          return html`<tr>
            <td data-label="Pool" class="name">
              <a href=${href('pools', { pool: pool.name })}><bdi>${plain(pool.name)}</bdi></a>
            </td>
            <td data-label="Endpoints" class="wide">${source(pool)}</td>
            <td data-label="State">${health(all)}</td>
            <td data-label="In flight" class="num">
              ${count(all.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + number(each.work?.inFlight), 0))}
            </td>
            <td data-label="Routing">${word(pool.routing) || 'least loaded'}</td>
            <td data-label="Per node" class="num">${count(pool.maxInFlight || 1000)}</td>
            <td data-label="Timeout" class="num">${duration(pool.requestTimeout ?? '30s')}</td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }

  renderPool() {
    const pool = this.pool.value;
    const name = this.params.get('pool') ?? '';
    return html`<section class="card ${this.pool.waiting && pool ? 'stale' : ''}">
      <div class="title">
        <h2><bdi>${plain(name)}</bdi></h2>
        ${pool && may('PoolService/RotateKey')
          ? html`<button type="button" class="small" @click=${() => this.rotate(pool)}>Rotate key…</button>`
          : nothing}
        <a class="button small" href=${href('pools')}>Close</a>
      </div>
      ${pending(this.pool)} ${this.handler.error ? pending(this.handler) : nothing}
      ${this.secret
        ? html`<div class="note" role="status">
            <p><strong>The new secret. It is not shown again.</strong></p>
            <p class="row">
              <code>${plain(this.secret.value)}</code> <k-copy .value=${this.secret.value}></k-copy>
              <button type="button" class="small quiet" @click=${() => (this.secret = undefined)}>Hide</button>
            </p>
          </div>`
        : nothing}
      ${pool ? this.renderDetails(pool) : nothing}
    </section>`;
  }

  /** @param {any} pool */
  renderDetails(pool) {
    const statuses = pool.endpointStatuses ?? [];
    const ejection = pool.ejection ?? {};
    const handler = this.handler.value;
    const keys = pool.keys ?? [];
    return html`<dl class="facts">
        <dt>Tasks</dt>
        <dd>
          ${handler
            ? html`${counted(handler.processing, 'request')} in flight, ${count(number(handler.waiting) + number(handler.enqueued))}
              waiting, on all nodes: ${handlerLink(handlerOf(pool.name))}`
            : 'it has had none yet'}
        </dd>
        <dt>In flight, at most</dt>
        <dd>${count(pool.maxInFlight || 1000)} per node</dd>
        <dt>Request timeout</dt>
        <dd>${duration(pool.requestTimeout ?? '30s')}</dd>
        <dt>Answer 202</dt>
        <dd>
          ${pool.answersLater ? 'the attempt goes on' : 'done, unless its header says later'}; lease
          ${duration(pool.completionTimeout ?? '900s')}
        </dd>
        <dt>Routing</dt>
        <dd>${word(pool.routing) || 'least loaded'}</dd>
        <dt>Ejection</dt>
        <dd>
          after ${counted(ejection.failures || 3, 'failure')} in a row, for ${duration(ejection.pause ?? '10s')}, then back within
          ${duration(ejection.rampUp ?? '30s')}
        </dd>
        <dt>Health check</dt>
        <dd>${pool.healthPath ? html`<code>${plain(pool.healthPath)}</code>` : 'none'}</dd>
        ${pool.tls
          ? html`<dt>Credentials</dt>
              <dd><bdi>${plain(pool.tls)}</bdi></dd>`
          : nothing}
        <dt>Keys</dt>
        <dd>
          ${keys.length
            ? keys.map(
                (/** @type {any} */ key) =>
                  html`<div>
                    made <k-time .value=${key.createdAt}></k-time>,
                    ${key.retiresAt ? html`retires <k-time .value=${key.retiresAt}></k-time>` : 'signs now'}
                  </div>`,
              )
            : 'none'}
        </dd>
      </dl>
      <div>
        <h3>${source(pool)}</h3>
        ${statuses.length
          ? html`<table class="fold">
              <thead>
                <tr>
                  <th scope="col">Endpoint</th>
                  <th scope="col">State</th>
                  <th scope="col" class="num">In flight</th>
                  <th scope="col" class="num">Answers, last minute</th>
                  <th scope="col" class="num">p50</th>
                  <th scope="col" class="num">p99</th>
                  <th scope="col" class="num">Ejections, last hour</th>
                </tr>
              </thead>
              <tbody>
                ${statuses.map(
                  (/** @type {any} */ each) =>
                    html`<tr>
                      <td data-label="Endpoint" class="name"><bdi>${plain(each.endpoint)}</bdi></td>
                      <td data-label="State" class="wide">
                        ${each.excluded
                          ? html`${badge('excluded', 'bad')} <span class="sub">${plain(each.excluded)}</span>`
                          : each.ejected
                            ? badge('ejected', 'warn', 'It failed too often, and is probed after a pause')
                            : badge('serves', 'good')}
                        ${each.work?.ejectingNodes
                          ? html`<span class="sub">ejected by ${counted(each.work.ejectingNodes, 'node')}</span>`
                          : nothing}
                      </td>
                      <td data-label="In flight" class="num">${count(each.work?.inFlight)}</td>
                      <td data-label="Answers" class="num">${count(each.work?.answers)}</td>
                      <td data-label="p50" class="num">${duration(each.work?.p50)}</td>
                      <td data-label="p99" class="num">${duration(each.work?.p99)}</td>
                      <td data-label="Ejections" class="num ${number(each.work?.ejections) ? 'bad-text' : ''}">
                        ${count(each.work?.ejections)}
                      </td>
                    </tr>`,
                )}
              </tbody>
            </table>`
          : html`<p class="muted">This node knows no endpoint of it.</p>`}
      </div>`;
  }
}
customElements.define('k-pools', PoolsElement);

/** Where the endpoints come from. @param {any} pool */
function source(pool) {
  if (pool.resolved) return html`from DNS: <bdi>${plain(pool.resolved)}</bdi>`;
  if (pool.registered) return 'registered by workers';
  const urls = pool.listed?.urls ?? [];
  return urls.length === 1 ? html`<bdi>${plain(urls[0])}</bdi>` : `${counted(urls.length, 'listed URL')}`;
}

/** @param {any[]} statuses */
function health(statuses) {
  const excluded = statuses.filter((each) => each.excluded).length;
  const ejected = statuses.filter((each) => each.ejected && !each.excluded).length;
  const serving = statuses.length - excluded - ejected;
  return html`${badge(
    `${count(serving)} of ${count(statuses.length)} serve`,
    !serving ? 'bad' : serving < statuses.length ? 'warn' : 'good',
  )}
  ${ejected ? badge(`${count(ejected)} ejected`, 'warn') : nothing} ${excluded ? badge(`${count(excluded)} excluded`, 'bad') : nothing}`;
}
