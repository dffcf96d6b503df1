import { advance } from './advance.ts';
import { hasMembers, refuseContext } from './merge-context.ts';
import type { Rejection } from './rejection.ts';
import type { RunChanges } from './run-changes.ts';
import type { RunCommandData } from './run-command.ts';

export function decideStart(changes: RunChanges, command: RunCommandData['start']): Rejection | undefined {
  const { definition, limits } = changes;
  const { principal, tenant, goal, context } = command;
  const rejection = refuseContext({}, context, limits);
  if (rejection !== undefined) return rejection;
  changes.record('RunStarted', {
    workflowId: definition.id,
    definitionHash: definition.hash,
    ...(goal !== undefined && { goal }),
    principal,
    tenant,
    ttl: limits.runTtl,
  });
  if (hasMembers(context)) changes.record('ContextMerged', { context });
  advance(changes);
  return undefined;
}
