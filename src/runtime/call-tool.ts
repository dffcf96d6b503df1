import type { CallToolResult } from '../call/call-tool-result.ts';
import type { MaybePromise } from '../shared/maybe-promise.ts';
import { brokenCall, unknownTool } from './call-failures.ts';
import { routeCall } from './route-call.ts';
import type { CallOptions, RouteOptions } from './route-options.ts';
import type { ToolView } from './tool-view.ts';

/** A call of one of the tools that a view has. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly contextOf: () => unknown;
  readonly version: CallOptions['version'];
}

/** Routes a call by the tool's name. It never rejects: every failure is a result. */
export function callTool(
  viewOf: () => ToolView,
  call: ToolCall,
  options: RouteOptions,
): Promise<CallToolResult> {
  try {
    return Promise.resolve(callIn(viewOf(), call, options));
  } catch (thrown) {
    return Promise.resolve(brokenCall(call.name, thrown, options));
  }
}

function callIn(
  view: ToolView,
  { name, args, contextOf, version }: ToolCall,
  options: RouteOptions,
): MaybePromise<CallToolResult> {
  const tool = view.find(name);
  if (tool === undefined) return unknownTool(name, view.names);
  return routeCall(tool, args, contextOf(), options, version);
}
