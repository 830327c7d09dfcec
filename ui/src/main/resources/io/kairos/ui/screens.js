// The screens. A new screen is an entry here and a file in screen/ that defines its element.

/**
 * @typedef {object} ScreenEntry
 * @property {string} path below /ui/; a part that begins with a colon is an argument
 * @property {string} title of the page and in the navigation
 * @property {string} [group] heading in the navigation; a screen without one is reached from others
 * @property {string} [key] the letter that goes there, after g
 * @property {('node' | 'replica')[]} on processes that serve it
 * @property {string} needs the method without which the screen is of no use
 * @property {string} tag its element
 * @property {() => Promise<unknown>} load loads the element's module
 */

/** @type {ScreenEntry[]} */
export const SCREENS = [
  { path: '', title: 'Overview', group: 'Now', key: 'o', on: ['node'], needs: 'ClusterService/GetCluster', tag: 'k-overview', load: () => import('./screen/overview.js') },
  { path: 'failures', title: 'Failures', group: 'Now', key: 'f', on: ['node'], needs: 'HandlerService/ListFailureGroups', tag: 'k-failures', load: () => import('./screen/failures.js') },
  { path: 'tasks', title: 'Tasks', group: 'Work', key: 't', on: ['node'], needs: 'TaskService/ListTasks', tag: 'k-tasks', load: () => import('./screen/tasks.js') },
  { path: 'tasks/:id', title: 'Task', on: ['node'], needs: 'TaskService/GetTask', tag: 'k-task', load: () => import('./screen/task.js') },
  { path: 'handlers', title: 'Handlers', group: 'Work', key: 'h', on: ['node'], needs: 'HandlerService/ListHandlers', tag: 'k-handlers', load: () => import('./screen/handlers.js') },
  { path: 'handlers/:name', title: 'Handler', on: ['node'], needs: 'HandlerService/GetHandler', tag: 'k-handler', load: () => import('./screen/handler.js') },
  { path: 'schedules', title: 'Schedules', group: 'Work', key: 's', on: ['node'], needs: 'ScheduleService/ListSchedules', tag: 'k-schedules', load: () => import('./screen/schedules.js') },
  { path: 'schedules/:name', title: 'Schedule', on: ['node'], needs: 'ScheduleService/GetSchedule', tag: 'k-schedule', load: () => import('./screen/schedule.js') },
  { path: 'delay', title: 'Delay queue', group: 'Work', key: 'd', on: ['node'], needs: 'RouteService/ListRoutes', tag: 'k-delay', load: () => import('./screen/delay.js') },
  { path: 'workers', title: 'Workers', group: 'Installation', key: 'w', on: ['node'], needs: 'ClusterService/ListWorkers', tag: 'k-workers', load: () => import('./screen/workers.js') },
  { path: 'pools', title: 'Pools', group: 'Installation', key: 'p', on: ['node'], needs: 'PoolService/ListPools', tag: 'k-pools', load: () => import('./screen/pools.js') },
  { path: 'replica', title: 'Replica', group: 'Installation', key: 'r', on: ['replica'], needs: 'CronService/GetReplica', tag: 'k-replica', load: () => import('./screen/replica.js') },
  { path: 'audit', title: 'Audit log', group: 'Installation', key: 'a', on: ['node'], needs: 'AuditService/ListAuditEntries', tag: 'k-audit', load: () => import('./screen/audit.js') },
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
