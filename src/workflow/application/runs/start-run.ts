import { decide } from '../../domain/run/decide.ts';
import { checkContext, checkOptionalText, checkText } from './check-request.ts';
import { recordChange, recordedView } from './record-change.ts';
import { identify } from './request-identity.ts';
import type { RunCaller } from './run-caller.ts';
import { contended, refusedError } from './run-errors.ts';
import type { RunParts } from './run-parts.ts';
import type { StartRequest } from './run-requests.ts';
import type { RunView } from './run-view.ts';

const LONGEST_ID = 64;
const LONGEST_GOAL = 2000;

/** Starts a run of a workflow as it is written now. */
export async function startRun(parts: RunParts, caller: RunCaller, request: StartRequest): Promise<RunView> {
  const workflowId = checkText('workflowId', request.workflowId, { min: 1, max: LONGEST_ID });
  const goal = checkOptionalText('goal', request.goal, { max: LONGEST_GOAL });
  const context = checkContext(request.context);
  const { tenant, principal } = caller;
  const asked = { start: { workflowId, goal, context } };
  const identity =
    request.idempotencyKey === undefined
      ? undefined
      : identify(JSON.stringify([tenant, principal]), asked, request.idempotencyKey);
  const recorded = await recordedView(parts, identity);
  if (recorded !== undefined) return recorded;

  const definition = await parts.workflows.getDefinition(workflowId);
  const runId = parts.ids();
  const decided = decide(null, {
    type: 'start',
    at: new Date(parts.clock()).toISOString(),
    actor: { kind: 'agent' },
    definition,
    limits: parts.limits,
    tenant,
    principal,
    ...(goal !== undefined && { goal }),
    ...(context !== undefined && { context }),
  });
  if (decided.rejection !== undefined) throw refusedError(runId, decided.rejection);
  await parts.definitions.pin(definition);
  const { events } = decided;
  const view = await recordChange(parts, {
    runId,
    definition,
    state: null,
    snapshotSeq: 0,
    events,
    identity,
  });
  if (view === undefined) throw contended(runId);
  return view;
}
