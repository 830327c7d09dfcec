// Rules of the dashboard that need no page. Run by ScriptRulesTest of the module server, in the zone of Berlin.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plain } from '../../main/resources/io/kairos/ui/format.js';
import { headersOf, readable, toBase64, utf8 } from '../../main/resources/io/kairos/ui/bytes.js';
import {
  NO_ENDS,
  bounded,
  dayOf,
  evenRanges,
  firstFound,
  kindOf,
  plusDays,
  traceIdOf,
  traceUrl,
} from '../../main/resources/io/kairos/ui/rules.js';

const DAY = 86_400_000;

/** The parts of a range as the API makes them: 24 hours each from its begin. */
function parts([from, to]) {
  const begins = [];
  for (let at = from.getTime(); at < to.getTime(); at += DAY) begins.push(new Date(at));
  return begins;
}

for (const [what, from, change] of [
  ['back', new Date(2026, 9, 20), new Date(2026, 9, 25)],
  ['forward', new Date(2026, 2, 20), new Date(2026, 2, 29)],
]) {
  test(`days keep their fire times when clocks go ${what}`, () => {
    const ranges = evenRanges(from, 30);

    assert.equal(ranges.length, 2);
    assert.equal(ranges[0][1].getTime(), plusDays(change, 1).getTime());
    assert.equal(ranges[1][1].getTime(), plusDays(from, 30).getTime());
    for (const begin of ranges.flatMap(parts)) {
      const end = Math.min(begin.getTime() + DAY, plusDays(begin, 1).getTime()) - 1;
      assert.equal(dayOf(new Date(end)), dayOf(begin));
      if (dayOf(begin) !== dayOf(change)) assert.equal(begin.getHours(), 0, String(begin));
    }
  });
}

test('days are one range when no clocks change', () => {
  assert.equal(evenRanges(new Date(2026, 10, 1), 30).length, 1);
});

test('a bound of a dry run does not lift the bound of the user', () => {
  const at = '2026-11-26T12:00:00Z';

  assert.deepEqual(bounded('redrive', { handler: 'a', endedBefore: '2026-11-01T00:00:00Z' }, at), {
    handler: 'a',
    endedBefore: '2026-11-01T00:00:00Z',
  });
  assert.deepEqual(bounded('redrive', { endedBefore: '2026-12-01T00:00:00Z' }, at), { endedBefore: at });
  assert.deepEqual(bounded('redrive', {}, at), { endedBefore: at });
  assert.deepEqual(bounded('cancel', { before: at }, at), { before: at, acceptedUntil: at });
  assert.deepEqual(bounded('cancel', { before: at }, ''), { before: at });
});

test('a fire is called done only when its task would be known otherwise', () => {
  const ends = {
    tasks: new Map([
      ['0c', 'failed'],
      ['0b', 'unfinished'],
    ]),
    since: '0b',
  };
  const kind = (executionId, more = {}) => kindOf({ decision: 'FIRED', executionId, ...more }, ends);

  assert.deepEqual(
    ['0d', '0c', '0b', '0a'].map((id) => kind(id)),
    ['fired', 'failed', 'running', 'unknown'],
  );
  assert.equal(kind('0a', { late: '11s' }), 'late');
  assert.equal(kind('', { decision: 'SKIPPED' }), 'skipped');
  assert.equal(kindOf({ executionId: 'f0' }, NO_ENDS), 'unknown');
  assert.equal(kindOf({ executionId: '0a' }, { ...ends, since: '' }), 'fired');
});

test('characters that are not seen are shown', () => {
  assert.equal(plain('a\u00adb\u2028c\u{e0041}\u3164'), 'a‹U+00AD›b‹U+2028›c‹U+E0041›‹U+3164›');
  assert.equal(plain('Zürich\t😀'), 'Zürich\t😀');
});

test('a search goes on by itself until it finds something, has seen all, or may not go on', async () => {
  const empty = { tasks: [], nextPageToken: 'on', examinedTo: 'then' };
  const pages = { '': { nextPageToken: 'a' }, a: { ...empty, nextPageToken: 'b' }, b: { tasks: [1], nextPageToken: 'c' } };
  const asked = [];
  const ask = async (token) => (asked.push(token), pages[token]);

  assert.deepEqual(await firstFound(ask, () => true), { tasks: [1], nextPageToken: 'c', wentOn: true });
  assert.deepEqual(asked, ['', 'a', 'b']);
  assert.deepEqual(await firstFound(async () => ({ tasks: [] }), assert.fail), { tasks: [], wentOn: false });
  assert.deepEqual(await firstFound(async () => pages.b, assert.fail), { ...pages.b, wentOn: false });
  assert.deepEqual(await firstFound(async () => empty, (page, calls) => page.examinedTo === 'then' && calls < 9), {
    ...empty,
    wentOn: true,
  });
  await assert.rejects(firstFound(() => Promise.reject(new Error('aborted')), () => true), /aborted/);
});

test('a trace has a page where the configuration names one, and no script is a page', () => {
  const id = '0af7651916cd43dd8448eb211c80319c';
  const template = 'https://traces.example.com/trace/{trace_id}?from=kairos';

  assert.equal(traceIdOf(`00-${id}-b7ad6b7169203331-01`), id);
  assert.equal(traceUrl(template, id), `https://traces.example.com/trace/${id}?from=kairos`);
  for (const wrong of [undefined, '', 'x', `00-${id}`, `00-${id.toUpperCase()}-b7ad6b7169203331-01`, `00-../../${id}-b7ad6b7169203331-01`])
    assert.equal(traceIdOf(wrong), '', String(wrong));
  assert.equal(traceUrl(template, ''), '');
  for (const none of [undefined, '', 'javascript:alert("{trace_id}")', ' https://x/{trace_id}', '//x/{trace_id}', 'data:,{trace_id}'])
    assert.equal(traceUrl(none, id), '', String(none));
});

test('bytes of which only a part is shown may end within a character', () => {
  const whole = toBase64('naïve');
  const part = btoa(atob(whole).slice(0, 3));

  assert.equal(utf8(whole), 'naïve');
  assert.equal(utf8(part), undefined);
  assert.equal(utf8(part, true), 'na');
  assert.equal(readable(part), '6e 61 c3');
  assert.equal(readable(part, true), 'na');
  assert.equal(readable(btoa('\xff\x00'), true), 'ff 00');
});

test('headers are written a line each', () => {
  assert.deepEqual(headersOf(' a: 1\n\nb:x:y\n'), [
    { name: 'a', value: toBase64('1') },
    { name: 'b', value: toBase64('x:y') },
  ]);
  assert.throws(() => headersOf('no colon'), /no colon/);
});
