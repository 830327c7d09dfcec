// Where the tasks of a graph are drawn: by layers (Sugiyama, Tagawa and Toda, 1981), predecessors left of their successors. It needs
// no page; its tests are in ui/src/test.

/** @typedef {{predecessor: string, successor: string, onFailure?: string, open?: boolean}} Edge one task waits for another */
/** @typedef {{tasks: {id: string, handler?: string, state?: string}[], edges: Edge[], more?: boolean}} Graph an answer of the API */
/** @typedef {{id: string, x: number, y: number}} Box its upper left corner */
/** @typedef {{edge: Edge, points: [number, number][]}} Line from its predecessor to its successor, straight across layers between them */

/** The size of a box. */
export const BOX = { width: 160, height: 44 };
const GAP = { x: 56, y: 12 };
const MARGIN = 6;
/** Height of a line that passes a layer. */
const LANE = 12;
/** Rounds in which the order in each layer is made better; more change little. */
const ROUNDS = 6;

/**
 * The tasks that are nearest to one, by edges both ways, that one included.
 *
 * @param {Graph} graph @param {string} from @param {number} most
 * @returns {Set<string>}
 */
export function nearest(graph, from, most) {
  /** @type {Map<string, string[]>} */
  const beside = new Map(graph.tasks.map(({ id }) => [id, []]));
  for (const { predecessor, successor } of graph.edges) {
    beside.get(predecessor)?.push(successor);
    beside.get(successor)?.push(predecessor);
  }
  const found = new Set([from]);
  // A set gives what is added while it is gone through.
  for (const id of found) {
    for (const other of beside.get(id) ?? []) if (found.size < most && beside.has(other)) found.add(other);
  }
  return found;
}

/**
 * The tasks that wait for one, directly or through others, and that one.
 *
 * @param {Graph} graph @param {string} from
 * @returns {Set<string>}
 */
export function behind(graph, from) {
  const after = successors(graph.edges);
  const found = new Set([from]);
  for (const id of found) (after.get(id) ?? []).forEach((other) => found.add(other));
  return found;
}

/** @param {Edge[]} edges @returns {Map<string, string[]>} */
function successors(edges) {
  /** @type {Map<string, string[]>} */
  const after = new Map();
  for (const { predecessor, successor } of edges) {
    const others = after.get(predecessor);
    if (others) others.push(successor);
    else after.set(predecessor, [successor]);
  }
  return after;
}

/**
 * Places tasks and the edges between them.
 *
 * @param {string[]} ids @param {Edge[]} all edges; those from or to other tasks are left out
 * @returns {{boxes: Box[], lines: Line[], width: number, height: number}}
 */
export function placed(ids, all) {
  const known = new Set(ids);
  const edges = all.filter(({ predecessor, successor }) => known.has(predecessor) && known.has(successor));
  const layers = layersOf(ids, edges);
  /** What is in each layer: tasks, and lines that pass it. @type {string[][]} */
  const columns = Array.from({ length: Math.max(0, ...layers.values()) + 1 }, () => []);
  for (const id of ids) columns[layers.get(id) ?? 0]?.push(id);
  /** What is joined with what in the next layer. @type {Map<string, Set<string>>} */
  const joined = new Map();
  const routes = edges.map((edge) => {
    const route = [edge.predecessor];
    for (let layer = (layers.get(edge.predecessor) ?? 0) + 1; layer < (layers.get(edge.successor) ?? 0); layer++) {
      // The edges of one predecessor share a lane.
      const lane = `${edge.predecessor}>${layer}`;
      if (!joined.has(lane)) columns[layer]?.push(lane);
      join(joined, lane);
      route.push(lane);
    }
    route.push(edge.successor);
    for (let at = 1; at < route.length; at++) join(joined, route[at - 1] ?? '', route[at]);
    return route;
  });
  order(columns, joined);
  return drawn(ids, edges, routes, columns);
}

/** @param {Map<string, Set<string>>} joined @param {string} from @param {string} [to] */
function join(joined, from, to) {
  const others = joined.get(from) ?? new Set();
  if (to !== undefined) others.add(to);
  joined.set(from, others);
}

/**
 * Each task is right of all its predecessors, and one without any just left of its first successor.
 *
 * @param {string[]} ids @param {Edge[]} edges @returns {Map<string, number>}
 */
function layersOf(ids, edges) {
  const after = successors(edges);
  const layers = new Map(ids.map((id) => [id, 0]));
  const left = new Map(ids.map((id) => [id, 0]));
  for (const { successor } of edges) left.set(successor, (left.get(successor) ?? 0) + 1);
  const firsts = ids.filter((id) => left.get(id) === 0);
  const sorted = new Set(firsts);
  for (const id of sorted) {
    for (const next of after.get(id) ?? []) {
      layers.set(next, Math.max(layers.get(next) ?? 0, (layers.get(id) ?? 0) + 1));
      left.set(next, (left.get(next) ?? 0) - 1);
      if (left.get(next) === 0) sorted.add(next);
    }
  }
  for (const id of firsts) {
    const next = (after.get(id) ?? []).map((each) => layers.get(each) ?? 0);
    if (next.length) layers.set(id, Math.min(...next) - 1);
  }
  return layers;
}

/**
 * Puts what is joined near each other, going right and left by turns.
 *
 * @param {string[][]} columns @param {Map<string, Set<string>>} joined
 */
function order(columns, joined) {
  /** @type {Map<string, Set<string>>} */
  const back = new Map();
  for (const [from, others] of joined) for (const to of others) join(back, to, from);
  for (let round = 0; round < ROUNDS; round++) {
    const right = round % 2 === 0;
    const sequence = right ? columns : [...columns].reverse();
    sequence.forEach((column, at) => {
      const before = new Map((sequence[at - 1] ?? []).map((id, index) => [id, index]));
      const middle = (/** @type {string} */ id, /** @type {number} */ index) => {
        const beside = [...((right ? back : joined).get(id) ?? [])].map((other) => before.get(other) ?? 0);
        return beside.length ? beside.reduce((sum, each) => sum + each, 0) / beside.length : index;
      };
      const wanted = new Map(column.map((id, index) => [id, middle(id, index)]));
      if (at > 0) column.sort((one, other) => (wanted.get(one) ?? 0) - (wanted.get(other) ?? 0));
    });
  }
}

/** @param {string[]} ids @param {Edge[]} edges @param {string[][]} routes of the edges @param {string[][]} columns */
function drawn(ids, edges, routes, columns) {
  const tasks = new Set(ids);
  const heightOf = (/** @type {string} */ id) => (tasks.has(id) ? BOX.height : LANE);
  const heights = columns.map((column) => column.reduce((sum, id) => sum + heightOf(id) + GAP.y, -GAP.y));
  const height = Math.max(BOX.height, ...heights);
  /** @type {Map<string, {x: number, y: number, middle: number}>} */
  const places = new Map();
  columns.forEach((column, layer) => {
    const x = MARGIN + layer * (BOX.width + GAP.x);
    let y = MARGIN + (height - (heights[layer] ?? 0)) / 2;
    for (const id of column) {
      places.set(id, { x, y, middle: y + heightOf(id) / 2 });
      y += heightOf(id) + GAP.y;
    }
  });
  const placeOf = (/** @type {string} */ id) => places.get(id) ?? { x: 0, y: 0, middle: 0 };
  return {
    boxes: ids.map((id) => ({ id, x: placeOf(id).x, y: placeOf(id).y })),
    lines: edges.map((edge, at) => ({
      edge,
      points: (routes[at] ?? []).flatMap((id, nth, route) => {
        const { x, middle } = placeOf(id);
        /** @type {[number, number][]} */
        const ends = [
          [x, middle],
          [x + BOX.width, middle],
        ];
        return nth === 0 ? ends.slice(1) : nth === route.length - 1 ? ends.slice(0, 1) : ends;
      }),
    })),
    width: 2 * MARGIN + columns.length * BOX.width + (columns.length - 1) * GAP.x,
    height: 2 * MARGIN + height,
  };
}
