import type { CallToolResult } from '../call/call-tool-result.ts';
import { ProtocolError } from '../call/protocol-error.ts';
import type { ActionDefinition, CompiledTool } from '../compile/compiled-tool.ts';
import type { PlainObject } from '../shared/json.ts';
import { declaredError, failedCall, invalidInput, invalidOutput } from './call-failures.ts';
import type { RouteOptions } from './route-options.ts';
import { runHandler } from './run-handler.ts';

/** Runs an action. Every failure becomes a result, though a client may be answered with the error itself. */
export async function runAction(
  tool: CompiledTool,
  action: ActionDefinition,
  args: PlainObject,
  context: unknown,
  options: RouteOptions,
): Promise<CallToolResult> {
  const { key, version } = action;
  const named = { kind: 'action', tool: tool.name, action: key, name: key } as const;
  const place = version === undefined ? named : { ...named, version };
  try {
    const outcome = await runHandler(action, { place, args, context, convert: action.convert }, options);
    if (!outcome.ok) return invalidInput(tool, action, outcome.issues);
    return outcome.value.ok
      ? outcome.value.value
      : invalidOutput(tool, action, outcome.value.issues, options);
  } catch (thrown) {
    return ProtocolError.is(thrown)
      ? declaredError(tool, action, thrown)
      : failedCall(tool, action, thrown, context, options);
  }
}
