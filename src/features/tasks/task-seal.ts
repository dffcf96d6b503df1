import { createKeyring, type Keyring, type Secrets } from '../../shared/sealed-text.ts';
import { pack, unpack } from '../../kernel/call/replay/request-states.ts';
import type { TaskEntry, TaskRecord } from '../../runtime/tasks/task-record.ts';

const HIDDEN = ['statusMessage', 'questions', 'answers', 'outcome', 'call', 'journal', 'progress'] as const;

type Hidden = Pick<TaskRecord, (typeof HIDDEN)[number]>;

/** Hides from stores what callers and handlers put into tasks. */
export class TaskSeal {
  readonly #keyring: Keyring | undefined;
  /** Of tasks that were read, so that a change of nothing but their times does not seal them again. */
  readonly #texts = new WeakMap<TaskRecord, string>();

  /** @param secrets undefined where records are kept as they are */
  constructor(secrets: Secrets | undefined, server: string) {
    this.#keyring = secrets && createKeyring(secrets, `task:${server}`);
  }

  /** @param before the task as it was read, of which this one is a change */
  close(task: TaskRecord, before?: TaskRecord): TaskRecord {
    if (this.#keyring === undefined) return task;
    const { statusMessage, questions, answers, outcome, call, journal, progress, ...shown } = task;
    const hidden: Record<keyof Hidden, unknown> = {
      ...{ statusMessage, questions, answers, outcome },
      ...{ call, journal, progress },
    };
    const isSame = before !== undefined && HIDDEN.every((name) => task[name] === before[name]);
    const known = isSame ? this.#texts.get(before) : undefined;
    return { ...shown, questions: {}, answers: {}, sealed: known ?? this.#keyring.seal(pack(hidden)) };
  }

  /** @throws Error for a task that was sealed with other secrets */
  open(stored: TaskRecord): TaskRecord {
    const { sealed, ...shown } = stored;
    if (sealed === undefined) return stored;
    const content = this.#keyring?.open(sealed);
    if (content === undefined)
      throw new Error('A task was sealed with secrets that this instance does not have');
    const task: TaskRecord = { ...shown, ...(unpack(content) as Hidden) };
    this.#texts.set(task, sealed);
    return task;
  }

  /** An entry of a journal that stands beside its record. */
  closeEntry(entry: TaskEntry): string {
    return this.#keyring?.seal(pack(entry)) ?? JSON.stringify(entry);
  }

  /** @throws Error for an entry that was sealed with other secrets */
  openEntry(text: string): TaskEntry {
    if (text.startsWith('{')) return JSON.parse(text) as TaskEntry;
    const content = this.#keyring?.open(text);
    if (content === undefined)
      throw new Error('A task was sealed with secrets that this instance does not have');
    return unpack(content) as TaskEntry;
  }
}
