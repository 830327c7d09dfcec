// Lines over time. Only screens that have a chart load this module, and uPlot with it.
import { KElement, html } from '../element.js';

/** @typedef {{label: string, color: string, dash?: number[]}} Line color: a custom property, such as --accent */

const HEIGHT = 200;
const LIBRARY = '/ui/lib/uplot/dist/';

/** @typedef {import('uplot')} Plot */

/** @param {HTMLElement} element a link or script @returns {Promise<unknown>} that it is loaded */
function added(element) {
  return new Promise((resolve, reject) => {
    element.onload = resolve;
    element.onerror = () => reject(new Error('uPlot could not be loaded'));
    document.head.prepend(element);
  });
}

// The small form of uPlot is a script, not a module: half the bytes.
const library = Promise.all([
  added(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${LIBRARY}uPlot.min.css` })),
  added(Object.assign(document.createElement('script'), { src: `${LIBRARY}uPlot.iife.min.js` })),
]).then(() => /** @type {{uPlot: typeof import('uplot')}} */ (/** @type {unknown} */ (globalThis)).uPlot);

/**
 * A chart of lines. `data` is as uPlot takes it: the times in seconds, then the values of each line. The same text for people who do
 * not see it is `what`.
 */
class ChartElement extends KElement {
  static properties = {
    data: { attribute: false },
    lines: { attribute: false },
    what: {},
    axis: { attribute: false },
    log: { type: Boolean },
    error: { state: true },
  };

  constructor() {
    super();
    /** @type {(number | null)[][]} */
    this.data = [[]];
    /** @type {Line[]} */
    this.lines = [];
    this.what = '';
    /** Writes a value. @type {(value: number) => string} */
    this.axis = String;
    /** True for a logarithmic scale. */
    this.log = false;
    /** @type {Plot | undefined} */
    this.plot = undefined;
    this.watch = new ResizeObserver(() => this.plot?.setSize({ width: this.clientWidth, height: HEIGHT }));
    this.redraw = () => this.draw();
    /** Why there is no chart. @type {unknown} */
    this.error = undefined;
    this.dark = matchMedia('(prefers-color-scheme: dark)');
  }

  connectedCallback() {
    super.connectedCallback();
    this.watch.observe(this);
    addEventListener('k-theme', this.redraw);
    this.dark.addEventListener('change', this.redraw);
  }

  disconnectedCallback() {
    this.watch.disconnect();
    removeEventListener('k-theme', this.redraw);
    this.dark.removeEventListener('change', this.redraw);
    this.plot?.destroy();
    this.plot = undefined;
    super.disconnectedCallback();
  }

  render() {
    if (this.error) return html`<k-problem .error=${this.error}></k-problem>`;
    return html`<div class="plot" role="img" aria-label=${this.what}></div>`;
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  updated(changed) {
    if (this.plot && !changed.has('lines'))
      this.plot.setData(/** @type {import('uplot').AlignedData} */ (/** @type {unknown} */ (this.data)));
    else void this.draw();
  }

  /** @param {string} property a custom property @returns {string} its colour in the present theme */
  color(property) {
    const probe = document.createElement('i');
    probe.style.color = `var(${property})`;
    this.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }

  async draw() {
    const uPlot = await library.catch((error) => {
      this.error = error;
    });
    const place = /** @type {HTMLElement | null} */ (this.querySelector('.plot'));
    if (!uPlot || !place || !this.isConnected) return;
    this.plot?.destroy();
    const grid = { stroke: this.color('--line'), width: 1 };
    const axis = { stroke: this.color('--muted'), grid, ticks: grid, font: '12px system-ui, sans-serif' };
    const values = (/** @type {Plot} */ _, /** @type {(number | null)[]} */ splits) =>
      splits.map((each) => (each === null ? '' : this.axis(each)));
    this.plot = new uPlot(
      {
        width: this.clientWidth,
        height: HEIGHT,
        scales: { y: this.log ? { distr: 3 } : { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] } },
        axes: [
          { ...axis, values: '{HH}:{mm}' },
          { ...axis, size: 64, values },
        ],
        // Without a cursor the legend has the latest values.
        hooks: { setLegend: [(plot) => void (plot.legend.idx ?? latest(plot))] },
        cursor: { points: { size: 6 }, drag: { x: false, y: false } },
        series: [
          { value: '{HH}:{mm}:{ss}' },
          ...this.lines.map((line) => ({
            label: line.label,
            stroke: this.color(line.color),
            width: 1.5,
            dash: line.dash ?? [],
            points: { show: false },
            value: (/** @type {Plot} */ _, /** @type {number | null} */ value) => (value === null ? '–' : this.axis(value)),
          })),
        ],
      },
      /** @type {import('uplot').AlignedData} */ (/** @type {unknown} */ (this.data)),
      place,
    );
  }
}

/** Shows the latest values in the legend. @param {Plot} plot */
function latest(plot) {
  const idx = plot.data[0].length - 1;
  if (idx >= 0) plot.setLegend({ idx }, false);
}

customElements.define('k-chart', ChartElement);
