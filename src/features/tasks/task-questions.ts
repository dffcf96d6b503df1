import type { QuestionOptions } from '../../call/request-context.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { digestOf } from '../../kernel/call/replay/journal.ts';
import type { TaskEntry } from '../../runtime/tasks/task-record.ts';
import { askInput, type TaskChange } from './task-changes.ts';
import { taskIsOver } from '../../runtime/tasks/task-protocol.ts';
import { isTerminal, type TaskAnswer, type TaskRecord } from '../../runtime/tasks/task-record.ts';

/** How often a question is repeated when its answer is refused; the handler gets the next answer as it is. */
const MOST_REFUSALS = 3;

/** A task whose handler asks. */
interface AskingTask {
  readonly pending: PendingInputs;
  /** Whether a refused answer is asked for again. */
  readonly asksAgain: boolean;
  readonly now: () => number;
  /** @returns the task afterwards; undefined when it is gone */
  readonly change: (change: TaskChange) => Promise<TaskRecord | undefined>;
}

/** Puts a question into the task, for the client to find it there, and waits for the answer. */
export async function askInTask(
  { pending, asksAgain, now, change }: AskingTask,
  method: string,
  params: PlainObject,
  { name = method.replace('/', '-'), accepts }: QuestionOptions = {},
): Promise<unknown> {
  const request = { method, params: plainCopy(params) };
  const print = printOf(request);
  for (let refusals = 0; ; refusals += 1) {
    const key = pending.keyFor(name);
    let given = pending.heard(key, print);
    if (given === undefined) {
      const answered = pending.wait(key, print);
      const task = await change(askInput(key, request, now()));
      if (task === undefined || isTerminal(task)) throw taskIsOver(method);
      given = await answered;
    }
    const answer = pending.read(given);
    if (!asksAgain || refusals >= MOST_REFUSALS) return answer;
    if (isPlainObject(answer) && (accepts === undefined || (await accepts(answer)))) return answer;
  }
}

/** Identifies the words of a question. */
function printOf({
  method,
  params = {},
}: {
  readonly method: string;
  readonly params?: PlainObject;
}): string {
  // The one part of a question that is different each time it is asked (spec 2025-11-25: client/elicitation)
  const { elicitationId: _id, ...words } = params;
  return digestOf({ method, params: words });
}

/** A store keeps JSON; a copy also keeps the task apart from what the handler still holds. */
export function plainCopy<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

type Heard = Extract<TaskEntry, { readonly kind: 'answer' }>;

/** The questions of one task that wait for answers, and the keys it has used. */
export class PendingInputs {
  readonly #waiting = new Map<string, (answer: TaskAnswer) => void>();
  readonly #prints = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #heard: ReadonlyMap<string, Heard>;

  /** @param journal what the handler heard in another process */
  constructor(journal: readonly TaskEntry[] = []) {
    const answers = journal.filter((entry) => entry.kind === 'answer');
    this.#heard = new Map(answers.map((entry) => [entry.key, entry]));
  }

  /** A key that is new for this task: clients distinguish its questions by it. */
  keyFor(name: string): string {
    let key = name;
    for (let count = 2; this.#used.has(key); count += 1) key = `${name}-${String(count)}`;
    this.#used.add(key);
    return key;
  }

  /** The answer that was given to the same words before. */
  heard(key: string, print: string): TaskAnswer | undefined {
    const heard = this.#heard.get(key);
    return heard?.print === print ? heard.answer : undefined;
  }

  /** Waits for the answer under a key. */
  wait(key: string, print: string): Promise<TaskAnswer> {
    this.#prints.set(key, print);
    return new Promise((resolve) => this.#waiting.set(key, resolve));
  }

  /** The words that were asked under a key. */
  printOf(key: string): string {
    return this.#prints.get(key) ?? '';
  }

  /** @throws the failure that stands in the place of an answer */
  read(answer: TaskAnswer): unknown {
    if ('value' in answer) return answer.value;
    const { code, message } = answer.failure;
    throw code === undefined ? new Error(message) : new ToolError(code, message);
  }

  /** Delivers answers. @returns the keys that were waited for */
  deliver(answers: Readonly<Record<string, TaskAnswer>>): readonly string[] {
    return Object.entries(answers).flatMap(([key, answer]) => {
      const resolve = this.#waiting.get(key);
      if (resolve === undefined) return [];
      this.#waiting.delete(key);
      resolve(answer);
      return [key];
    });
  }
}
