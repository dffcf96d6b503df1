import { ProblemList } from '../../errors/problem-list.ts';
import { listValues } from '../../shared/listing.ts';
import type { ToolSet } from '../tools/compile-tool-set.ts';
import type { ToolDefinition } from '../tools/compiled-tool.ts';
import { narrowTool } from '../tools/prepare-tool.ts';
import { checkToolNames, type ListedTool, type PreparedTool } from '../tools/prepared-tool.ts';
import {
  ACTION_ARGUMENT,
  CALL_ACTION,
  createFindingTools,
  FINDING_NAMES,
  READ_ACTION,
} from './finding-tools.ts';
import { checkPins } from './pinned-layout.ts';
import { presentTool } from './present-tool.ts';
import type { Surface } from './surface.ts';

/** An action, as a surface lists it: the name of its root group, and its key. */
export interface SurfaceAction {
  readonly root: string;
  readonly key: string;
}

/** A tool of a surface: its definition, and the actions that it calls. */
export interface SurfaceTool extends Pick<
  ToolDefinition,
  'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations'
> {
  /** The argument that names the action; undefined where the tool is one action. */
  readonly discriminator: string | undefined;
  readonly actions: readonly SurfaceAction[];
  /** All that clients are sent of it. */
  readonly definition: ToolDefinition;
}

/**
 * What a surface lists to callers who may see all that the filter of the application leaves. It reads the compiled tools
 * and changes nothing.
 * @param surface undefined for the surface `own`
 * @example
 * const tools = listSurface(compiled.tools, createSurface('grouped-by-risk'));
 */
export function listSurface(
  sets: readonly Pick<ToolSet, 'prepared'>[],
  surface: Surface | undefined,
): readonly SurfaceTool[] {
  const list = (on: Surface | undefined): readonly SurfaceTool[] =>
    sets.flatMap(({ prepared }) => {
      const listed = on === undefined ? listOwn(prepared) : listPresented(prepared, on);
      return listed.map((tool) => describeTool(prepared.scanned.name, tool));
    });
  const listed = list(surface);
  return Object.freeze(
    surface?.reaches === undefined ? listed : [...listFindingTools(listed, list(surface.reaches)), ...listed],
  );
}

/** The tools that find actions and call them. Each action that has no tool of its own belongs to one of them. */
function listFindingTools(
  pinned: readonly SurfaceTool[],
  reached: readonly SurfaceTool[],
): readonly SurfaceTool[] {
  const identify = ({ root, key }: SurfaceAction): string => JSON.stringify([root, key]);
  const own = new Set(pinned.flatMap(({ actions }) => actions.map(identify)));
  const actions = new Map(
    reached.flatMap((tool) => tool.actions.map((action) => [identify(action), { action, tool }] as const)),
  );
  const others = [...actions].filter(([name]) => !own.has(name)).map(([, each]) => each);
  const [reads, calls] = [true, false].map((isReading) =>
    others.filter(({ tool }) => (tool.annotations.readOnlyHint === true) === isReading),
  );
  const found: Readonly<Record<string, typeof reads>> = { [READ_ACTION]: reads, [CALL_ACTION]: calls };
  return createFindingTools(reached.map(({ definition }) => definition)).map((definition) => {
    const { name, title, description, inputSchema, annotations } = definition;
    const isFinding = found[name] === undefined;
    return Object.freeze({
      ...{ name, ...(title === undefined ? {} : { title }), description, inputSchema, annotations },
      discriminator: isFinding ? undefined : ACTION_ARGUMENT,
      actions: Object.freeze((found[name] ?? []).map(({ action }) => action)),
      definition,
    });
  });
}

function listOwn({ filtered, listed }: PreparedTool): readonly ListedTool[] {
  return filtered === undefined ? listed : filtered.listed;
}

function listPresented(prepared: PreparedTool, surface: Surface): readonly ListedTool[] {
  const presented = presentTool(prepared, surface);
  if (prepared.filtered === undefined) return presented.listed;
  const kept = new Set(prepared.filtered.actions.map(({ scanned }) => actionId(scanned)));
  const actions = presented.actions.filter(({ scanned }) => kept.has(actionId(scanned)));
  return narrowTool(presented, actions, new ProblemList()).listed;
}

function actionId({
  key,
  version = '',
}: {
  readonly key: string;
  readonly version: string | undefined;
}): string {
  return `${key} ${version}`;
}

function describeTool(root: string, { definition, discriminator, actions }: ListedTool): SurfaceTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = definition;
  return Object.freeze({
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations,
    discriminator,
    actions: Object.freeze(actions.map(({ scanned: { key } }) => Object.freeze({ root, key }))),
    definition,
  });
}

/** Reports names that are not legal, and names of two tools. @param presented the tools as the surface has them */
export function checkSurface(
  presented: readonly PreparedTool[],
  surface: Surface,
  problems: ProblemList,
): void {
  for (const tool of presented) checkToolNames(tool, problems);
  if (surface.reaches !== undefined) {
    checkPinnedNames(presented, surface, problems);
    if (surface.isWanted) checkPins(presented, problems);
  }
  const owners = new Map<string, PreparedTool>();
  const roots = new Map(presented.map((tool) => [tool.scanned.name, tool]));
  for (const tool of presented) {
    for (const { definition } of tool.listed) {
      const { name } = definition;
      const group = roots.get(name);
      const other =
        owners.get(name) ?? (surface.name === 'grouped-by-risk' && group !== tool ? group : undefined);
      if (other !== undefined) reportTaken(name, [other, tool], surface, problems);
      owners.set(name, tool);
    }
  }
}

/** No pinned action may have the name of a tool that finds actions. */
function checkPinnedNames(
  presented: readonly PreparedTool[],
  { name }: Surface,
  problems: ProblemList,
): void {
  const taken = presented.flatMap(({ listed }) =>
    listed.filter(({ definition }) => FINDING_NAMES.includes(definition.name)),
  );
  for (const { definition, actions } of taken)
    problems.at(`surface "${name}"`).add('TW_COMPILE_NAME_TAKEN', {
      what: `would list two tools "${definition.name}", one of them for ${actions[0]?.scanned.where ?? 'an action'}.`,
      why: 'a client that wants to find actions would call the action.',
      fix: 'rename the action, or take `pin` from it',
    });
}

/**
 * Reports names that are one in a client that replaces what is not among its characters by `_`.
 * @param chars as in a class of a pattern
 */
export function checkReplacedNames(
  presented: readonly PreparedTool[],
  { name: surface }: Surface,
  chars: string,
  problems: ProblemList,
): void {
  const others = new RegExp(`[^${chars}]`, 'gu');
  const owners = new Map<string, ListedTool>();
  for (const tool of presented.flatMap(({ listed }) => listed)) {
    const { name } = tool.definition;
    const replaced = name.replaceAll(others, '_');
    const other = owners.get(replaced);
    owners.set(replaced, tool);
    if (other === undefined || other.definition.name === name) continue;
    problems.at(`surface "${surface}"`).add('TW_COMPILE_NAME_TAKEN', {
      what: `has the tools "${other.definition.name}" (${sayKeys(other)}) and "${name}" (${sayKeys(tool)}), which are both "${replaced}" in clients that replace characters.`,
      why: 'such a client would call the one for the other.',
      fix: 'rename one of them, or set another `separator` or `prefix` on the group',
    });
  }
}

function sayKeys({ actions }: ListedTool): string {
  return listValues(actions, ({ scanned: { key } }) => key);
}

function reportTaken(
  name: string,
  [first, second]: readonly [PreparedTool, PreparedTool],
  { name: surface }: Surface,
  problems: ProblemList,
): void {
  const isOne = first === second;
  problems.at(`surface "${surface}"`).add('TW_COMPILE_NAME_TAKEN', {
    what: isOne
      ? `would list two tools "${name}" of the group "${first.scanned.name}" (${first.scanned.where}).`
      : `would have the name "${name}" for the groups "${first.scanned.name}" (${first.scanned.where}) and "${second.scanned.name}" (${second.scanned.where}).`,
    why: 'a client that knows the one would call the other, with the permissions that a person gave for the first.',
    fix:
      surface === 'grouped-by-risk'
        ? "surface: { use: 'grouped-by-risk', riskNames: { read: 'look' } }, or rename one of the groups"
        : 'rename one of them, or set another `separator` or `prefix` on the group',
  });
}
