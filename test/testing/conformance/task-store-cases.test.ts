import { InMemoryTaskStore, type TaskLimits, type TaskRecord, type TaskStore } from 'toolwright';
import { taskStoreConformance } from 'toolwright/testing';
import { testKit, turn, type Broken } from '../../support/kit.ts';

const MANY: TaskLimits = { total: 1000, perSubject: 1000, withoutSubject: 1000 };

const creating =
  (change: (task: TaskRecord) => Partial<TaskRecord>): Broken<TaskStore> =>
  (store) => ({ create: (task, limits) => store.create({ ...task, ...change(task) }, limits) });
const limiting =
  (change: (limits: TaskLimits) => Partial<TaskLimits>): Broken<TaskStore> =>
  (store) => ({ create: (task, limits) => store.create(task, { ...limits, ...change(limits) }) });
const listing =
  (change: (tasks: readonly TaskRecord[]) => readonly TaskRecord[]): Broken<TaskStore> =>
  (store) => ({ list: async (subject, page) => change(await store.list(subject, page)) });
const ofKeys =
  (change: (key: string) => string): Broken<TaskStore> =>
  (store) => ({
    create: (task, limits) => store.create({ ...task, taskId: change(task.taskId) }, limits),
    get: (taskId) => store.get(change(taskId)),
  });
const ofJson = (change: (json: string) => string): Broken<TaskStore> =>
  creating((task) => JSON.parse(change(JSON.stringify(task))) as TaskRecord);

/** Puts a task down, whatever its version is, and whether it is there or not. */
async function force(store: TaskStore, task: TaskRecord): Promise<boolean> {
  const present = await store.get(task.taskId);
  await store.delete(task.taskId);
  await store.create(present === undefined ? task : { ...task, version: task.version }, MANY);
  return true;
}

testKit<TaskStore>({
  cases: taskStoreConformance,
  make: (clock) => new InMemoryTaskStore({ now: () => clock.now(), after: () => () => undefined }),
  broken: {
    'gives a task back as it is, also with characters that only JSON can carry': {
      'keeps ASCII': ofJson((json) => json.replace(/[^\0-\x7f]/g, '?')),
      'drops U+0000': ofJson((json) => json.replaceAll('\\u0000', '')),
      'cuts long texts': ofJson((json) => json.replaceAll('\u00e9'.repeat(70_000), '')),
      'adds a member': creating(() => ({ outcome: { kind: 'result', result: {} } })),
    },
    'replaces a task by its next version, and by no other': {
      'looks at no version': (store) => ({
        update: async (task) => (await store.get(task.taskId)) !== undefined && force(store, task),
      }),
      'puts down what there was not': (store) => ({
        update: async (task) =>
          (await store.update(task)) ||
          ((await store.get(task.taskId)) === undefined && (await force(store, task))),
      }),
      'lists what was made first': (store) => {
        const first = new Map<string, TaskRecord>();
        return {
          create: (task, limits) => {
            first.set(task.taskId, task);
            return store.create(task, limits);
          },
          list: async (subject, page) =>
            (await store.list(subject, page)).map((task) => first.get(task.taskId) ?? task),
        };
      },
    },
    'makes one of many changes at once': {
      'looks and changes in two steps': (store) => ({
        update: async (task) => {
          const isCurrent = (await store.get(task.taskId))?.version === task.version - 1;
          await turn();
          return isCurrent && force(store, task);
        },
      }),
    },
    'lists the tasks of a subject by age and id, page by page': {
      'lists the newest first': listing((tasks) => [...tasks].reverse()),
      'gives one more': (store) => ({
        list: (subject, page) => store.list(subject, { ...page, limit: page.limit + 1 }),
      }),
      'leaves out what is as old as the last of a page': (store) => ({
        list: async (subject, { after, limit }) => {
          const tasks = await store.list(subject, { limit: 1000 });
          return tasks.filter((task) => task.createdAt > (after?.createdAt ?? 0)).slice(0, limit);
        },
      }),
      'does not look at the subject': (store) => ({
        list: async (subject, page) => [
          ...(await store.list(subject, page)),
          ...(await store.list('bob', page)),
        ],
      }),
    },
    'takes as many tasks as it may, of a subject, of those without one, and in all': {
      'has no limit for a subject': limiting(({ total }) => ({ perSubject: total })),
      'has no limit for those without a subject': limiting(({ total }) => ({ withoutSubject: total })),
      'has no limit for all': limiting(() => ({ total: 1000 })),
      'takes one too few': limiting(({ perSubject }) => ({ perSubject: perSubject - 1 })),
    },
    'takes no more when many are added at once': {
      'counts and adds in two steps': (store) => {
        let count = 0;
        return {
          create: async (task, { total }) => {
            const hasRoom = count < total;
            await turn();
            if (!hasRoom) return false;
            count += 1;
            return store.create(task, MANY);
          },
        };
      },
    },
    'forgets no task that runs to make room': {
      'forgets the oldest one': (store) => {
        const ids: string[] = [];
        return {
          create: async (task, limits) => {
            if (ids.length >= limits.perSubject) await store.delete(ids.shift() ?? '');
            ids.push(task.taskId);
            return store.create(task, limits);
          },
        };
      },
    },
    'forgets a task when its time is over, and not before': {
      'keeps it too long': creating(({ ttl }) => ({ ttl: ttl + 1 })),
      'forgets it too early': creating(({ ttl }) => ({ ttl: ttl - 1 })),
      'lists it still': (store) => {
        const all: TaskRecord[] = [];
        return {
          create: (task, limits) => {
            all.push(task);
            return store.create(task, limits);
          },
          list: async () => all,
        };
      },
    },
    'says the same time to all instances': {
      'goes back': () => {
        let time = 0;
        return { now: async () => (time -= 1) };
      },
      'goes by another clock': (store) => ({ now: async () => ((await store.now?.()) ?? 0) + 1 }),
    },
    'takes nothing away where the clock of an instance is an hour ahead': {
      'counts the life of a task by the time of its change': (store) => ({
        update: async (task) => {
          if (!(await store.update(task))) return false;
          if (task.lastUpdatedAt >= task.createdAt + task.ttl) await store.delete(task.taskId);
          return true;
        },
      }),
    },
    'has room again when the time of a task is over': {
      'counts all tasks that there ever were': (store) => {
        let count = 0;
        return {
          create: async (task, limits) => {
            count += 1;
            return count <= limits.total && store.create(task, limits);
          },
        };
      },
    },
    'deletes a task, which no change brings back, and has room again': {
      'brings it back': (store) => ({
        update: async (task) =>
          (await store.update(task)) ||
          ((await store.get(task.taskId)) === undefined && (await force(store, task))),
      }),
      'lists it still': (store) => {
        const ofAnn: TaskRecord[] = [];
        return {
          create: (task, limits) => {
            if (task.subject === 'ann') ofAnn.push(task);
            return store.create(task, limits);
          },
          list: async (subject, page) => (subject === 'ann' ? ofAnn : store.list(subject, page)),
        };
      },
      'counts it still': (store) => {
        let count = 0;
        return {
          create: async (task, limits) => {
            count += 1;
            return count <= limits.total && store.create(task, limits);
          },
        };
      },
      'counts it down twice': (store) => {
        let count = 0;
        return {
          create: async (task, limits) => {
            if (count >= limits.total) return false;
            count += 1;
            return store.create(task, MANY);
          },
          delete: (taskId) => {
            count -= 1;
            return store.delete(taskId);
          },
        };
      },
    },
    'reports changes to those who watch the task in all instances, until they stop': {
      'reports nothing': () => ({ watch: async () => () => undefined }),
      'does not report the end of a task': (store) => {
        const listeners = new Map<string, () => void>();
        return {
          update: async (task) => {
            listeners.get(task.taskId)?.();
            return store.update(task);
          },
          watch: async (taskId, listener) => {
            listeners.set(taskId, listener);
            return () => listeners.delete(taskId);
          },
        };
      },
      'does not stop': (store) => ({
        watch: async (taskId, listener) => {
          await store.watch?.(taskId, listener);
          return () => undefined;
        },
      }),
      'reports every task to everybody': (store) => {
        const listeners = new Set<() => void>();
        return {
          update: async (task) => {
            for (const listener of listeners) listener();
            return store.update(task);
          },
          delete: async (taskId) => {
            for (const listener of listeners) listener();
            await store.delete(taskId);
          },
          watch: async (_, listener) => {
            listeners.add(listener);
            return () => listeners.delete(listener);
          },
        };
      },
    },
    'adds to the journal of a task with its changes, and gives it in order': {
      'adds what a refused change brings': ofJournal((store, add) => ({
        update: async (task, entries) => {
          add(task.taskId, entries);
          return store.update(task);
        },
      })),
      'replaces what was there': ofJournal((store, add, journals) => ({
        update: async (task, entries) => {
          const isStored = await store.update(task);
          if (isStored) journals.delete(task.taskId);
          if (isStored) add(task.taskId, entries);
          return isStored;
        },
      })),
      'gives the latest first': ofJournal((_store, _add, journals) => ({
        journal: async (taskId) => [...(journals.get(taskId) ?? [])].reverse(),
      })),
      'keeps it when the task is gone': ofJournal((store) => ({
        delete: (taskId) => store.delete(taskId),
      })),
    },
    'keeps ids and subjects apart': {
      'does not look at the letter case': ofKeys((key) => key.toLowerCase()),
      'cuts long ids': ofKeys((key) => key.slice(0, 512)),
      'does not look at the letter case of subjects': (store) => ({
        list: async (subject, page) => {
          const upper =
            subject.toUpperCase() === subject ? [] : await store.list(subject.toUpperCase(), page);
          return [...(await store.list(subject, page)), ...upper];
        },
      }),
    },
    'forgets what belongs to one owner, and nothing else': {
      'forgets nothing': () => ({ forget: async () => 1 }),
      'forgets an owner whose name ends otherwise': (store) => ({
        forget: async (owner) => {
          await store.forget?.(`${owner.slice(0, -1)}-`);
          return (await store.forget?.(owner)) ?? 0;
        },
      }),
      'counts too much': (store) => ({ forget: async (owner) => ((await store.forget?.(owner)) ?? 0) + 1 }),
    },
  },
});

/** A store with a journal, in which one thing is wrong. */
function ofJournal(
  fault: (
    store: TaskStore,
    add: (taskId: string, entries: readonly string[] | undefined) => void,
    journals: Map<string, readonly string[]>,
  ) => Partial<TaskStore>,
): (store: TaskStore) => Partial<TaskStore> {
  return (store) => {
    const journals = new Map<string, readonly string[]>();
    const add = (taskId: string, entries: readonly string[] = []): void => {
      journals.set(taskId, [...(journals.get(taskId) ?? []), ...entries]);
    };
    return {
      update: async (task, entries) => {
        const isStored = await store.update(task);
        if (isStored) add(task.taskId, entries);
        return isStored;
      },
      journal: async (taskId) => journals.get(taskId) ?? [],
      delete: async (taskId) => {
        journals.delete(taskId);
        await store.delete(taskId);
      },
      ...fault(store, add, journals),
    };
  };
}
