import type { ExportedRun, RunSummary } from '../../application/ports/run-store.ts';
import type { RunEvent } from '../../domain/run/run-event.ts';
import { checkImport } from '../rules/check-append.ts';
import { runColumns } from '../rules/run-columns.ts';
import { alreadyThere } from '../rules/run-there.ts';
import type { MemoryRunData } from './memory-run-data.ts';
import { compareText } from './query-memory.ts';

export function exportMemoryRun(data: MemoryRunData, runId: string): ExportedRun | null {
  const run = data.runs.get(runId);
  if (!run) return null;
  const summary = JSON.parse(run.summary) as RunSummary;
  const json = data.definitions.get(summary.definitionHash);
  return {
    summary,
    events: run.events.map((event) => JSON.parse(event) as RunEvent),
    idempotency: [...data.responses.values()]
      .filter((kept) => kept.runId === runId)
      .map(({ scope, key, requestHash, response }) => ({ scope, key, requestHash, response }))
      .sort((left, right) => compareText(left.scope, right.scope) || compareText(left.key, right.key)),
    definition: json === undefined ? null : { hash: summary.definitionHash, json },
  };
}

export function importMemoryRun(data: MemoryRunData, run: ExportedRun): void {
  checkImport(run);
  const { summary, events, idempotency, definition } = run;
  const { runId } = summary;
  const responses = idempotency.map(
    (kept) => [responseName(kept.scope, kept.key), { ...kept, runId }] as const,
  );
  if (data.runs.has(runId)) throw alreadyThere(runId, 'the run');
  if (responses.some(([name]) => data.responses.has(name)))
    throw alreadyThere(runId, 'an idempotency key of the run');
  data.runs.set(runId, {
    columns: runColumns(summary),
    summary: JSON.stringify(summary),
    events: events.map((event) => JSON.stringify(event)),
    snapshot: null,
  });
  for (const [name, kept] of responses) data.responses.set(name, kept);
  if (definition && !data.definitions.has(definition.hash)) {
    data.definitions.set(definition.hash, definition.json);
  }
}

export function responseName(scope: string, key: string): string {
  return JSON.stringify([scope, key]);
}
