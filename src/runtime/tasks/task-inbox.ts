import { ToolError } from '../../errors/tool-error.ts';
import type { TaskAnswer } from './task-record.ts';

/** The questions of one task that its handler waits for, and the keys that it has used up. */
export class TaskInbox {
  readonly #waiting = new Map<string, (answer: TaskAnswer) => void>();
  readonly #used = new Set<string>();

  /** A key that this task never had: clients tell questions apart by it. */
  keyFor(name: string): string {
    let key = name;
    for (let count = 2; this.#used.has(key); count += 1) key = `${name}-${String(count)}`;
    this.#used.add(key);
    return key;
  }

  /** Waits for the answer under a key. @throws what stands in place of an answer */
  async wait(key: string): Promise<unknown> {
    const answer = await new Promise<TaskAnswer>((resolve) => this.#waiting.set(key, resolve));
    if ('value' in answer) return answer.value;
    const { code, message } = answer.failure;
    throw code === undefined ? new Error(message) : new ToolError(code, message);
  }

  /** Hands answers out. @returns the keys that somebody waited for */
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
