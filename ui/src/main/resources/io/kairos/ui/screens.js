// The screens. A new screen is an entry here and a file in screen/ that defines its element.

/**
 * @typedef {object} ScreenEntry
 * @property {string} name of its module in screen/; its element is k- and this name
 * @property {string} path below /ui/; a part that begins with a colon is an argument
 * @property {string} title of the page and in the navigation
 * @property {string} [group] heading in the navigation; a screen without one is reached from others
 * @property {string} [key] the letter that goes there, after g
 * @property {'node' | 'replica'} on the kind of process that serves it
 * @property {string} needs the method without which the screen is of no use
 */

/** @type {ScreenEntry[]} */
export const SCREENS = [
  { name: 'overview', path: '', title: 'Overview', group: 'Now', key: 'o', on: 'node', needs: 'ClusterService/GetCluster' },
  { name: 'failures', path: 'failures', title: 'Failures', group: 'Now', key: 'f', on: 'node', needs: 'HandlerService/ListFailureGroups' },
  { name: 'tasks', path: 'tasks', title: 'Tasks', group: 'Work', key: 't', on: 'node', needs: 'TaskService/ListTasks' },
  { name: 'task', path: 'tasks/:id', title: 'Task', on: 'node', needs: 'TaskService/GetTask' },
  { name: 'batches', path: 'batches', title: 'Batches', group: 'Work', key: 'b', on: 'node', needs: 'BatchService/ListBatches' },
  { name: 'batch', path: 'batches/:id', title: 'Batch', on: 'node', needs: 'BatchService/GetBatch' },
  { name: 'handlers', path: 'handlers', title: 'Handlers', group: 'Work', key: 'h', on: 'node', needs: 'HandlerService/ListHandlers' },
  { name: 'handler', path: 'handlers/:name', title: 'Handler', on: 'node', needs: 'HandlerService/GetHandler' },
  { name: 'limits', path: 'limits', title: 'Limits', group: 'Work', key: 'l', on: 'node', needs: 'LimitService/ListLimits' },
  { name: 'schedules', path: 'schedules', title: 'Schedules', group: 'Work', key: 's', on: 'node', needs: 'ScheduleService/ListSchedules' },
  { name: 'schedule', path: 'schedules/:name', title: 'Schedule', on: 'node', needs: 'ScheduleService/GetSchedule' },
  { name: 'delay', path: 'delay', title: 'Delay queue', group: 'Work', key: 'd', on: 'node', needs: 'RouteService/ListRoutes' },
  { name: 'workers', path: 'workers', title: 'Workers', group: 'Installation', key: 'w', on: 'node', needs: 'ClusterService/ListWorkers' },
  { name: 'pools', path: 'pools', title: 'Pools', group: 'Installation', key: 'p', on: 'node', needs: 'PoolService/ListPools' },
  { name: 'replica', path: 'replica', title: 'Replica', group: 'Installation', key: 'r', on: 'replica', needs: 'CronService/GetReplica' },
  { name: 'audit', path: 'audit', title: 'Audit log', group: 'Installation', key: 'a', on: 'node', needs: 'AuditService/ListAuditEntries' },
];

/**
 * Finds the screen of a path.
 *
 * @param {string} path
 * @returns {{entry: ScreenEntry, args: Record<string, string>} | undefined}
 */
export function find(path) {
  const parts = path.split('/');
  for (const entry of SCREENS) {
    const pattern = entry.path.split('/');
    if (pattern.length !== parts.length) continue;
    /** @type {Record<string, string>} */
    const args = {};
    const fits = pattern.every((each, at) => {
      const part = parts[at] ?? '';
      if (!each.startsWith(':')) return each === part;
      try {
        args[each.slice(1)] = decodeURIComponent(part);
      } catch {
        return false;
      }
      return part !== '';
    });
    if (fits) return { entry, args };
  }
  return undefined;
}
