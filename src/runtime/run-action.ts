import type { CallToolResult } from '../call/call-tool-result.ts';
import type { ToolContext } from '../call/tool-context.ts';
import type { ActionDefinition, CompiledTool, ResolvedInput } from '../compile/compiled-tool.ts';
import type { CallScope } from '../container/instance-resolver.ts';
import type { PlainObject } from '../shared/json.ts';
import { failedCall, invalidInput, invalidOutput } from './call-failures.ts';
import type { RouteOptions } from './route-options.ts';

/** Validates, runs the chain and converts. Every failure becomes a result. */
export async function runAction(
  tool: CompiledTool,
  action: ActionDefinition,
  args: PlainObject,
  context: unknown,
  options: RouteOptions,
): Promise<CallToolResult> {
  try {
    const resolved = await action.resolveInput(args);
    if (!resolved.ok) return invalidInput(tool, action, resolved.issues);
    if (action.perCall.length === 0) return await invoke(tool, action, resolved.value, context, undefined);
    return await invokeInScope(tool, action, resolved.value, context, options);
  } catch (thrown) {
    return failedCall(tool, action, thrown, context, options);
  }
}

async function invoke(
  tool: CompiledTool,
  action: ActionDefinition,
  { input, common }: ResolvedInput,
  context: unknown,
  scope: CallScope | undefined,
): Promise<CallToolResult> {
  const { key, metadata } = action;
  const value = await action.invoke({
    kind: 'action',
    tool: tool.name,
    action: key,
    input,
    context,
    metadata,
    common,
    scope,
  });
  const converted = await action.convert(value);
  return converted.ok ? converted.value : invalidOutput(tool, action, converted.issues);
}

async function invokeInScope(
  tool: CompiledTool,
  action: ActionDefinition,
  resolved: ResolvedInput,
  context: unknown,
  options: RouteOptions,
): Promise<CallToolResult> {
  const scope = await tool.resolver.open(action.perCall, context as ToolContext);
  try {
    return await invoke(tool, action, resolved, context, scope);
  } finally {
    // A failing disposal must not take the answer from the client
    await scope.close().catch((error: unknown) => {
      options.logger?.log({
        level: 'error',
        event: 'scope.dispose-failed',
        message: `Disposing the request scope of ${tool.name}/${action.key} failed`,
        error,
      });
    });
  }
}
