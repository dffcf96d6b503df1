import type { AppendRequest, AppendResult } from '../../application/ports/run-store.ts';
import { checkAppend } from '../rules/check-append.ts';
import { judgeKey, scopeOf } from '../rules/judge-key.ts';
import { runColumns } from '../rules/run-columns.ts';
import type { MemoryRunData } from './memory-run-data.ts';
import { responseName } from './move-memory-run.ts';

/** Runs to the end at once, which makes it one transaction. */
export function appendMemory(data: MemoryRunData, request: AppendRequest): AppendResult {
  checkAppend(request);
  const { runId, expectedSeq, summary } = request;
  const key = keyOf(request);
  const recorded = key && data.responses.get(key.name);
  if (recorded) return judgeKey(recorded, request);
  const run = data.runs.get(runId);
  const actualSeq = run?.events.length ?? 0;
  if (actualSeq !== expectedSeq) return { conflict: true, actualSeq };
  const events = run?.events ?? [];
  const snapshot = request.snapshot ? { ...request.snapshot } : (run?.snapshot ?? null);
  const kept = { columns: runColumns(summary), summary: JSON.stringify(summary), events, snapshot };
  addEvents(events, request);
  data.runs.set(runId, kept);
  if (key) data.responses.set(key.name, key.kept);
  return { ok: true, seq: summary.seq };
}

/** One by one: a function takes only so many arguments. */
function addEvents(kept: string[], { events }: AppendRequest): void {
  for (const event of events) kept.push(JSON.stringify(event));
}

function keyOf(request: AppendRequest) {
  const { runId, idempotencyKey: key, requestHash, response } = request;
  if (key === undefined || requestHash === undefined || response === undefined) return undefined;
  const scope = scopeOf(request);
  return { name: responseName(scope, key), kept: { runId, scope, key, requestHash, response } };
}
