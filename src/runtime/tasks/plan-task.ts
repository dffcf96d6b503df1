import type { TaskMode, TaskSupport } from '../../call/action-options.ts';
import type { ProtocolError } from '../../call/protocol-error.ts';
import { invalidParams, methodNotFound, missingExtension } from './task-protocol.ts';
import { isObject } from '../../shared/json.ts';

/** What is known of a call before it runs. */
export interface TaskCall {
  readonly tool: string;
  /** Of the action that is called; undefined where it has none, or where there is no such action. */
  readonly mode: TaskMode | undefined;
  /** Of the tool as it is listed; gives undefined where no call of it may be a task. */
  readonly support: () => TaskSupport | undefined;
}

/** How tasks are agreed on: by extension since 2026-07-28, call by call in 2025-11-25, or not at all. */
export type TaskAgreement =
  | { readonly protocol: '2026'; readonly isKnown: boolean }
  | { readonly protocol: '2025'; readonly requested: unknown }
  | { readonly protocol: 'none' };

/** What to do with a call: run it as it is, make it a task at once, or let its handler decide. */
export type TaskPlan =
  | { readonly kind: 'call' }
  | { readonly kind: 'task'; readonly ttl: number | undefined }
  | { readonly kind: 'on-demand' }
  | { readonly kind: 'refuse'; readonly error: ProtocolError };

const CALL: TaskPlan = Object.freeze({ kind: 'call' });

export function planTask(call: TaskCall, agreement: TaskAgreement): TaskPlan {
  if (agreement.protocol === '2026') return planByServer(call, agreement.isKnown);
  if (agreement.protocol === '2025' && agreement.requested !== undefined) {
    return planByClient(call, agreement.requested);
  }
  // Spec 2025-11-25: basic/utilities/tasks, Tool-Level Negotiation.
  return call.mode === 'required'
    ? refuse(methodNotFound(`${call.tool} can only be called as a task`))
    : CALL;
}

/** Since 2026-07-28 the server decides, for every client that knows tasks. */
function planByServer({ mode }: TaskCall, isKnown: boolean): TaskPlan {
  if (mode === undefined) return CALL;
  if (!isKnown) return mode === 'required' ? refuse(missingExtension()) : CALL;
  return mode === 'on-demand' ? { kind: 'on-demand' } : { kind: 'task', ttl: undefined };
}

/** In 2025-11-25 the client decides, tool by tool: a tool with one action for it lets any be a task. */
function planByClient({ tool, support }: TaskCall, requested: unknown): TaskPlan {
  if (support() === undefined) return refuse(methodNotFound(`${tool} cannot be called as a task`));
  if (!isObject(requested)) {
    return refuse(invalidParams('task must be an object'));
  }
  const { ttl } = requested as { readonly ttl?: unknown };
  if (ttl === undefined || ttl === null) return { kind: 'task', ttl: undefined };
  if (typeof ttl === 'number' && ttl > 0) return { kind: 'task', ttl: Math.ceil(ttl) };
  return refuse(invalidParams('task.ttl must be a number of milliseconds above 0'));
}

function refuse(error: ProtocolError): TaskPlan {
  return { kind: 'refuse', error };
}
