import type { MaybePromise } from '../shared/maybe-promise.ts';
import { brokenCall, unknownTool } from './call-failures.ts';
import { resultOf, type Outcome } from './outcome.ts';
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

/** Routes a call by the tool's name. It never rejects: every failure is an outcome. */
export function callTool(
  viewOf: () => ToolView,
  call: ToolCall,
  options: RouteOptions,
): MaybePromise<Outcome> {
  try {
    return callIn(viewOf(), call, options);
  } catch (thrown) {
    return resultOf(brokenCall(call.name, thrown, options));
  }
}

function callIn(
  view: ToolView,
  { name, args, contextOf, version }: ToolCall,
  options: RouteOptions,
): MaybePromise<Outcome> {
  const tool = view.find(name);
  if (tool === undefined) return resultOf(unknownTool(name, view.names));
  return routeCall(tool, args, contextOf(), options, version);
}
