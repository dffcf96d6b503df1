import { describe, expect, test } from '@jest/globals';
import type { TaskMode } from '../../../src/call/action-options.ts';
import { taskSupport } from '../../../src/compile/tools/list-tools.ts';
import { planTask, type TaskAgreement, type TaskPlan } from '../../../src/features/tasks/call-as-task.ts';

const knowing: TaskAgreement = { protocol: '2026', isKnown: true };
const unknowing: TaskAgreement = { protocol: '2026', isKnown: false };
const asked: TaskAgreement = { protocol: '2025', requested: {} };
const unasked: TaskAgreement = { protocol: '2025', requested: undefined };
const none: TaskAgreement = { protocol: 'none' };

function kindOf(plan: TaskPlan): string {
  return plan.kind === 'refuse' ? String(plan.error.code) : plan.kind;
}

describe('what becomes of a call', () => {
  test.each<[TaskMode | undefined, TaskAgreement, string]>([
    [undefined, knowing, 'call'],
    [undefined, unknowing, 'call'],
    [undefined, unasked, 'call'],
    [undefined, none, 'call'],
    ['optional', knowing, 'task'],
    ['optional', unknowing, 'call'],
    ['optional', asked, 'task'],
    ['optional', unasked, 'call'],
    ['optional', none, 'call'],
    ['required', knowing, 'task'],
    ['required', unknowing, '-32021'],
    ['required', asked, 'task'],
    ['required', unasked, '-32601'],
    ['required', none, '-32601'],
    ['on-demand', knowing, 'on-demand'],
    ['on-demand', unknowing, 'call'],
    ['on-demand', asked, 'task'],
    ['on-demand', unasked, 'call'],
    ['on-demand', none, 'call'],
  ])('%s, %j: %s', (mode, agreement, expected) => {
    const support = taskSupport([mode]);
    expect(kindOf(planTask({ tool: 't', mode, support }, agreement))).toBe(expected);
  });

  test('an action without tasks can be one where its tool has them, and not where it has none', () => {
    const call = { tool: 't', mode: undefined };
    expect(kindOf(planTask({ ...call, support: 'optional' }, asked))).toBe('task');
    expect(kindOf(planTask({ ...call, support: undefined }, asked))).toBe('-32601');
  });
});

describe('what a tool says of its actions', () => {
  test.each<[(TaskMode | undefined)[], string | undefined]>([
    [[undefined, undefined], undefined],
    [['required', 'required'], 'required'],
    [['required', undefined], 'optional'],
    [['required', 'optional'], 'optional'],
    [['on-demand'], 'optional'],
  ])('%j: %s', (modes, expected) => {
    expect(taskSupport(modes)).toBe(expected);
  });
});
