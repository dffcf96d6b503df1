import type { ActionDefinition, CompiledTool } from '../../compile/tools/compiled-tool.ts';
import type { Call, Handle, Route } from '../../kernel/call/call.ts';
import type { Outcome } from '../../kernel/call/outcome.ts';
import type { PlainObject } from '../../shared/json.ts';
import { compileRoute, type RouteSettings } from '../routes/route.ts';
import type { ToolView } from './tool-view.ts';

/** The route of one version of an action. */
export interface ActionRoute extends Route {
  readonly action: ActionDefinition;
}

/** A tool with the routes of its actions. */
export interface RoutedTool {
  readonly tool: CompiledTool;
  /** Of the one action of a tool that has no discriminator. */
  readonly only: ActionRoute | undefined;
  /** Of the actions that are listed, by key. */
  readonly byKey: ReadonlyMap<unknown, ActionRoute>;
  /** Of all that can be called. */
  readonly byAction: ReadonlyMap<ActionDefinition, ActionRoute>;
  /** Of a tool that calls actions of others: finds out which one a call means. */
  readonly open?: OpenAction;
}

/** What a call comes to that names an action of another tool. */
export type OpenedAction =
  | { readonly route: Route; readonly args: PlainObject }
  | { readonly answer: () => Outcome; readonly namesNothing: boolean };

/** @param given the arguments of the call */
export type OpenAction = (given: PlainObject, call: Call) => OpenedAction;

/** By the name of the tool. */
export type RoutedTools = ReadonlyMap<string, RoutedTool>;

/** Makes what answers the calls of an action. */
type AnswerAction = (tool: CompiledTool, action: ActionDefinition) => Handle;

/** Compiles the routes of all that a view offers. */
export function routeTools(view: ToolView, settings: RouteSettings, answer: AnswerAction): RoutedTools {
  const routeOf = (name: string, tool: CompiledTool, action: ActionDefinition): ActionRoute =>
    routeAction(targetOf(name, tool, action), action, settings, answer(tool, action));
  return new Map(
    [...view.tools].map(([name, tool]) => [name, routed(tool, (action) => routeOf(name, tool, action))]),
  );
}

export function routeAction(
  target: Route['target'],
  action: ActionDefinition,
  settings: RouteSettings,
  answer: Handle,
): ActionRoute {
  return Object.freeze({ ...compileRoute(target, settings, answer), action });
}

function routed(tool: CompiledTool, routeOf: (action: ActionDefinition) => ActionRoute): RoutedTool {
  const offered = new Set([...tool.actions, ...[...(tool.versions?.values() ?? [])].flat()]);
  const byAction = new Map([...offered].map((action) => [action, routeOf(action)] as const));
  const listed = tool.actions.map((action) => byAction.get(action) as ActionRoute);
  return {
    tool,
    byAction,
    only: tool.discriminator === undefined ? listed[0] : undefined,
    byKey: new Map(listed.map((route) => [route.action.key, route])),
  };
}

/** @param tool the one that is called */
export function targetOf(
  name: string,
  { definition }: Pick<CompiledTool, 'definition'>,
  action: ActionDefinition,
): Route['target'] {
  const { execution } = definition;
  return {
    kind: 'action',
    method: 'tools/call',
    name,
    action: action.key,
    handler: action,
    // A tool that is listed without tasks has none, whichever of its actions is called
    task: execution === undefined ? undefined : action.task,
    taskSupport: execution?.taskSupport,
    queue: execution === undefined ? undefined : action.queue,
  };
}
