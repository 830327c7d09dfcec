// The graph of a task, drawn and as a list: which task waits for which.
import { KElement, html, nothing, svg } from '../element.js';
import { count, counted, plain } from '../format.js';
import { BOX, nearest, placed } from '../layout.js';
import { href, segment } from '../link.js';
import { TASK_STATES, handlerLink, nameList, taskLink, taskState, word } from './basic.js';

/** Tasks that are drawn; a larger drawing is hard to read. */
const DRAWN = 60;
/** Between the edge of a box and its text, which is cut there. */
const PADDING = 10;

/** What an edge means for the task that waits, in words: the label of its line, and a sentence. @type {Record<string, [string, string]>} */
const ON_FAILURE = {
  FAIL: ['', 'fails with it'],
  BLOCK: ['blocks', 'goes on waiting when it fails'],
  CONTINUE: ['any end', 'waits for any end of it'],
};

/** The graph of a task. The drawing scrolls, with the task in the middle at first. */
class GraphElement extends KElement {
  static properties = { graph: { attribute: false }, task: {}, listed: { state: true } };

  constructor() {
    super();
    /** @type {import('../layout.js').Graph} */
    this.graph = { tasks: [], edges: [] };
    /** The id of the task. */
    this.task = '';
    /** True while the list is open, which may be long. */
    this.listed = false;
    /** The task that is in the middle. */
    this.shown = '';
  }

  render() {
    const drawn = nearest(this.graph, this.task, DRAWN);
    const tasks = this.graph.tasks.filter(({ id }) => drawn.has(id));
    const { boxes, lines, width, height } = placed(
      tasks.map(({ id }) => id),
      this.graph.edges,
    );
    const others = this.graph.tasks.length - tasks.length;
    return html`<div class="graph" role="region" aria-label="Drawing of the graph" tabindex="0">
        <svg viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="group" aria-label="Tasks that wait for each other">
          <g aria-hidden="true">${lines.map(line)}</g>
          ${boxes.map(({ id, x, y }, at) => this.renderBox(/** @type {any} */ (tasks[at]), id, x, y))}
        </svg>
      </div>
      <p class="legend">
        <span>Solid: waits for it still.</span><span>Dashed: no longer waited for.</span>
        <span>“blocks”: goes on waiting when it fails.</span><span>“any end”: may begin when it fails, too.</span>
      </p>
      ${others
        ? html`<p class="muted">
            The ${tasks.length} nearest tasks are drawn; ${count(others)} more ${others === 1 ? 'is' : 'are'} in the list.
          </p>`
        : nothing}
      ${this.graph.more ? html`<p class="muted">The graph has still more tasks or edges than the node tells at once.</p>` : nothing}
      <details @toggle=${(/** @type {Event} */ event) => (this.listed = /** @type {HTMLDetailsElement} */ (event.target).open)}>
        <summary>List of ${counted(this.graph.tasks.length, 'task')}</summary>
        ${this.listed ? this.renderList() : nothing}
      </details>`;
  }

  /** @param {any} task @param {string} id @param {number} x @param {number} y */
  renderBox(task, id, x, y) {
    const handler = plain(task.handler);
    const state = word(task.state) || 'unknown';
    return svg`<a href=${href(`tasks/${segment(id)}`)} class=${TASK_STATES[task.state]?.[0] ?? 'off'}
        aria-label="${handler}, ${state}, ${id}" aria-current=${id === this.task ? 'page' : nothing}>
      <title>${handler}, ${state}, ${id}</title>
      <rect x=${x} y=${y} width=${BOX.width} height=${BOX.height} rx="6"></rect>
      <svg x=${x + PADDING} y=${y} width=${BOX.width - 2 * PADDING} height=${BOX.height}>
        <text y="19">${handler}</text>
        <text y="36" class="state">${state}</text>
      </svg>
    </a>`;
  }

  renderList() {
    /** @type {Map<string, import('../layout.js').Edge[]>} */
    const before = new Map();
    const known = new Set(this.graph.tasks.map(({ id }) => id));
    for (const edge of this.graph.edges) before.set(edge.successor, [...(before.get(edge.successor) ?? []), edge]);
    return html`<table class="fold">
      <thead>
        <tr>
          <th scope="col">Task</th>
          <th scope="col">Handler</th>
          <th scope="col">State</th>
          <th scope="col">Waits for</th>
        </tr>
      </thead>
      <tbody>
        ${this.graph.tasks.map((task) => {
          const edges = new Map((before.get(task.id) ?? []).map((edge) => [edge.predecessor, edge]));
          return html`<tr>
            <td data-label="Task">${taskLink(task.id)}${task.id === this.task ? ' (this one)' : nothing}</td>
            <td data-label="Handler">${handlerLink(task.handler ?? '')}</td>
            <td data-label="State">${taskState(task.state)}</td>
            <td data-label="Waits for" class="maybe">
              ${nameList(
                [...edges.keys()],
                (id) => html`<span>${known.has(id) ? taskLink(id) : html`<code>${id}</code>`} ${said(edges.get(id))}</span>`,
              )}
            </td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }

  updated() {
    const place = this.querySelector('.graph');
    const box = this.querySelector('.graph a[aria-current] rect');
    if (this.shown === this.task || !place || !box) return;
    this.shown = this.task;
    const at = (/** @type {string} */ name) => Number(box.getAttribute(name));
    place.scrollLeft = at('x') - (place.clientWidth - BOX.width) / 2;
    place.scrollTop = at('y') - (place.clientHeight - BOX.height) / 2;
  }
}
customElements.define('k-graph', GraphElement);

/** @param {import('../layout.js').Edge | undefined} edge @returns {string} what is to be said of it beside the predecessor */
function said(edge) {
  if (!edge?.open) return '(no longer)';
  return edge.onFailure && edge.onFailure !== 'FAIL' ? `(${ON_FAILURE[edge.onFailure]?.[1] ?? word(edge.onFailure)})` : '';
}

/** A line with its arrow, and its label near the task that waits. @param {import('../layout.js').Line} line */
function line({ edge, points }) {
  const [x, y] = /** @type {[number, number]} */ (points.at(-1));
  const label = ON_FAILURE[edge.onFailure ?? 'FAIL']?.[0] ?? word(edge.onFailure);
  return svg`<g class=${edge.open ? 'open' : 'closed'}>
    <path d=${curve(points)}></path>
    <path class="arrow" d="M${x} ${y}l-7 -4v8z"></path>
    ${label ? svg`<text x=${x - 9} y=${y - 5} text-anchor="end">${label}</text>` : nothing}
  </g>`;
}

/** Curves between layers, straight lines across them. @param {[number, number][]} points */
function curve(points) {
  return points
    .map(([x, y], at) => {
      const [fromX, fromY] = points[at - 1] ?? [x, y];
      const middle = (fromX + x) / 2;
      return at === 0 ? `M${x} ${y}` : at % 2 ? `C${middle} ${fromY} ${middle} ${y} ${x} ${y}` : `L${x} ${y}`;
    })
    .join('');
}
