import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  answerInput,
  askInput,
  cancelTask,
  finishTask,
  renewLease,
  reportStatus,
  takeAnswers,
  type TaskChange,
} from '../../../src/features/tasks/task-changes.ts';
import { isTerminal, newTask, type TaskRecord } from '../../../src/runtime/tasks/task-record.ts';

const NOW = 1000;
const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
const request = { method: 'elicitation/create', params: {} };

const change: fc.Arbitrary<TaskChange> = fc.oneof(
  key.map((name) => askInput(name, request, NOW)),
  fc.dictionary(key, fc.constant({ value: 1 })).map((answers) => answerInput(answers, NOW)),
  fc.array(key).map((keys) => takeAnswers(keys)),
  fc.string().map((message) => reportStatus(message, NOW)),
  fc.constant(finishTask({ kind: 'result', result: {} }, NOW)),
  fc.constant(finishTask({ kind: 'error', error: { code: -32603, message: 'no' } }, NOW)),
  fc.constant(cancelTask('by request', NOW)),
  fc.constant(renewLease(NOW * 2)),
);

/** Spec 2025-11-25: basic/utilities/tasks, Task Status Lifecycle. */
const NEXT: Readonly<Record<TaskRecord['status'], readonly string[]>> = {
  working: ['working', 'input_required', 'completed', 'failed', 'cancelled'],
  input_required: ['working', 'input_required', 'completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

function begun(): TaskRecord {
  const facts = { taskId: 't', runner: 'r', subject: undefined, statusMessage: undefined };
  return newTask(facts, { ttl: 10, pollInterval: 1 }, 0);
}

describe('changes of a task in any order', () => {
  test('go from status to status as the specification allows, and never on from a final one', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        let task = begun();
        for (const apply of changes) {
          const next = apply(task);
          if (next === undefined) continue;
          expect(NEXT[task.status]).toContain(next.status);
          task = next;
        }
      }),
    );
  });

  test('keep questions exactly while input is required, and outcomes exactly at the end', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const task = changes.reduce((current, apply) => apply(current) ?? current, begun());
        expect(Object.keys(task.questions).length > 0).toBe(task.status === 'input_required');
        expect(task.outcome !== undefined).toBe(task.status === 'completed' || task.status === 'failed');
        if (isTerminal(task)) expect(task.answers).toEqual({});
      }),
    );
  });

  test('leave what they are given as it was', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 10 }), change, (changes, last) => {
        const task = changes.reduce((current, apply) => apply(current) ?? current, begun());
        const before = structuredClone(task);
        last(task);
        expect(task).toEqual(before);
      }),
    );
  });
});
