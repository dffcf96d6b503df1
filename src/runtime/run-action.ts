import type { CallToolResult } from '../call/call-tool-result.ts';
import { andThen, orElse, type Eventual } from '../call/eventual.ts';
import type { CheckOutcome } from '../call/issue.ts';
import { ProtocolError } from '../call/protocol-error.ts';
import type { ActionDefinition, CompiledTool } from '../compile/compiled-tool.ts';
import type { PlainObject } from '../shared/json.ts';
import { declaredError, failedCall, invalidInput, invalidOutput } from './call-failures.ts';
import type { RouteOptions } from './route-options.ts';
import { runHandler, type CallPlace } from './run-handler.ts';

/** Runs an action. Every failure becomes a result, though a client may be answered with the error itself. */
export function runAction(
  tool: CompiledTool,
  action: ActionDefinition,
  args: PlainObject,
  context: unknown,
  options: RouteOptions,
): Eventual<CallToolResult> {
  const run = { place: placeOf(tool, action), args, context, convert: action.convert };
  return orElse(
    () => andThen(runHandler(action, run, options), (outcome) => resultOf(tool, action, outcome, options)),
    (thrown) =>
      ProtocolError.is(thrown)
        ? declaredError(tool, action, thrown)
        : failedCall(tool, action, thrown, context, options),
  );
}

function placeOf({ name: tool }: CompiledTool, { key, version }: ActionDefinition): CallPlace {
  const named = { kind: 'action', tool, action: key, name: key } as const;
  return version === undefined ? named : { ...named, version };
}

function resultOf(
  tool: CompiledTool,
  action: ActionDefinition,
  outcome: CheckOutcome<CheckOutcome<CallToolResult>>,
  options: RouteOptions,
): CallToolResult {
  if (!outcome.ok) return invalidInput(tool, action, outcome.issues);
  const { value } = outcome;
  return value.ok ? value.value : invalidOutput(tool, action, value.issues, options);
}
