// The spans of time for which the API counts what waits, and the buttons that choose one.
import { html } from '../element.js';
import { clock, day } from '../format.js';
import { setParams } from '../link.js';

/** @typedef {{id: string, text: string, seconds: number, unit: string}} Span its bars have a length, in seconds and in words */

/** @type {Span} */
const HOUR = { id: 'HOUR', text: 'Next hour', seconds: 60, unit: 'minute' };
const SPANS = [
  HOUR,
  { id: 'DAY', text: 'Next day', seconds: 1800, unit: 'half hour' },
  { id: 'MONTH', text: 'Next 30 days', seconds: 86_400, unit: 'day' },
];

/** The span that the URL names. @param {URLSearchParams} params @returns {Span} */
export function spanOf(params) {
  return SPANS.find(({ id }) => id === params.get('span')) ?? HOUR;
}

/** @param {Span} chosen */
export function spanTabs(chosen) {
  return html`<div class="tabs" role="group" aria-label="Time">
    ${SPANS.map(
      (span) =>
        html`<button type="button" aria-pressed=${span.id === chosen.id} @click=${() => setParams({ span: span === HOUR ? '' : span.id })}>
          ${span.text}
        </button>`,
    )}
  </div>`;
}

/** When a bar begins. @param {Span} span @param {{at: string} | undefined} bar @returns {string} empty without a bar */
export function barTime(span, bar) {
  if (!bar) return '';
  return span.id === 'MONTH' ? day(bar.at) : clock(bar.at);
}
