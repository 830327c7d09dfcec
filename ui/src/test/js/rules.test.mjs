// Rules of the dashboard that need no page. Run by ScriptRulesTest of the module server, in the zone of Berlin.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plain } from '../../main/resources/io/kairos/ui/format.js';
import { headersOf, readable, toBase64, utf8 } from '../../main/resources/io/kairos/ui/bytes.js';
import { BOX, behind, nearest, placed } from '../../main/resources/io/kairos/ui/layout.js';
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

/** A graph of edges that are written "a>b". */
function graphOf(...written) {
  const edges = written.map((each) => ({ predecessor: each[0], successor: each[2] }));
  return { tasks: [...new Set(written.flatMap((each) => [each[0], each[2]]))].map((id) => ({ id })), edges };
}

/** Where the tasks of a graph are, by id. */
function layout(graph) {
  const { boxes, ...rest } = placed(
    graph.tasks.map(({ id }) => id),
    graph.edges,
  );
  return { at: Object.fromEntries(boxes.map(({ id, x, y }) => [id, { x, y }])), ...rest };
}

test('a task is drawn right of all that it waits for, and no box covers another', () => {
  const graph = graphOf('a>b', 'a>c', 'b>d', 'c>d', 'a>d', 'e>d', 'd>f');

  const { at, width, height } = layout(graph);

  for (const { predecessor, successor } of graph.edges) assert.ok(at[predecessor].x + BOX.width < at[successor].x);
  // Its only successor is far to the right: it is just left of that, and not with the other first task.
  assert.equal(at.e.x, at.b.x);
  const boxes = Object.values(at);
  for (const [nth, one] of boxes.entries()) {
    assert.ok(one.x >= 0 && one.y >= 0 && one.x + BOX.width <= width && one.y + BOX.height <= height);
    for (const other of boxes.slice(nth + 1)) assert.ok(one.x !== other.x || Math.abs(one.y - other.y) >= BOX.height);
  }
});

test('a line that passes a layer passes between its boxes', () => {
  const { at, lines } = layout(graphOf('a>b', 'b>c', 'a>c', 'x>y', 'y>c'));

  const { points } = lines.find(({ edge }) => edge.predecessor === 'a' && edge.successor === 'c');
  assert.equal(points.length, 4);
  const [, [fromX, fromY], [toX, toY]] = points;
  assert.equal(fromY, toY);
  assert.equal(toX - fromX, BOX.width);
  for (const { x, y } of Object.values(at)) assert.ok(x !== fromX || fromY < y || fromY > y + BOX.height);
});

test('lines do not cross where the order of the boxes can prevent it', () => {
  const { at } = layout(graphOf('a>3', 'b>2', 'c>1'));

  assert.ok(at.a.y < at.b.y && at.b.y < at.c.y);
  assert.ok(at[3].y < at[2].y && at[2].y < at[1].y);
});

test('edges from tasks that were removed are not drawn, and a circle ends the drawing of no page', () => {
  assert.deepEqual(layout({ tasks: [{ id: 'a' }], edges: [{ predecessor: 'z', successor: 'a' }] }).lines, []);
  assert.equal(layout({ tasks: [], edges: [] }).lines.length, 0);
  assert.equal(Object.keys(layout(graphOf('a>b', 'b>a', 'b>c')).at).length, 3);
});

test('the nearest tasks are found both ways, and those behind a task one way', () => {
  const graph = graphOf('a>b', 'b>c', 'c>d', 'z>c');

  assert.deepEqual([...nearest(graph, 'b', 3)], ['b', 'a', 'c']);
  assert.deepEqual([...nearest(graph, 'b', 60)].sort(), ['a', 'b', 'c', 'd', 'z']);
  assert.deepEqual([...behind(graph, 'c')], ['c', 'd']);
});
