// Small bars, drawn by SVG attributes: nothing is laid out by styles in the markup.
import { KElement, html, nothing, svg } from '../element.js';

/** @typedef {{label: string, values: number[]}} Bar one bar; its values are stacked, the first at the bottom */

const HEIGHT = 100;

/** Bars with a title each. `from` and `to` are written at the ends of the axis. */
class BarsElement extends KElement {
  static properties = { bars: { attribute: false }, what: {}, from: {}, to: {}, kind: {}, low: { type: Boolean } };

  constructor() {
    super();
    /** @type {Bar[]} */
    this.bars = [];
    /** What the bars show, as one sentence for people who do not see them. */
    this.what = '';
    this.from = '';
    this.to = '';
    /** The colour: bad, or empty. */
    this.kind = '';
    this.low = false;
  }

  render() {
    const highest = Math.max(1, ...this.bars.map((bar) => sum(bar.values)));
    const classes = ['b', 'c'];
    return html`<svg
        class="bars ${this.kind} ${this.low ? 'low' : ''}"
        viewBox="0 0 ${Math.max(1, this.bars.length) * 10} ${HEIGHT}"
        preserveAspectRatio="none"
        role="img"
        aria-label=${this.what}
      >
        <line x1="0" x2=${this.bars.length * 10} y1=${HEIGHT} y2=${HEIGHT}></line>
        ${this.bars.map((bar, at) => {
          let top = HEIGHT;
          return svg`<g><title>${bar.label}</title><rect x=${at * 10} y="0" width="10" height=${HEIGHT} fill-opacity="0"></rect>${bar.values.map(
            (value, of) => {
              // The least that is not nothing is still to be seen.
              const height = value > 0 ? Math.max(3, (value / highest) * (HEIGHT - 4)) : 0;
              top -= height;
              return svg`<rect class=${of ? classes[of - 1] : nothing} x=${at * 10 + 1} y=${top} width="8" height=${height}></rect>`;
            },
          )}</g>`;
        })}
      </svg>
      ${this.from || this.to ? html`<div class="axis"><span>${this.from}</span><span>${this.to}</span></div>` : nothing}
      ${this.low || !this.bars.length
        ? nothing
        : html`<details class="values">
            <summary>Values</summary>
            <ul>
              ${this.bars.map((bar) => html`<li>${bar.label}</li>`)}
            </ul>
          </details>`}`;
  }
}
customElements.define('k-bars', BarsElement);

/** @param {number[]} values */
function sum(values) {
  return values.reduce((all, each) => all + each, 0);
}
