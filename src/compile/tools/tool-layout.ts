import { ProblemList } from '../../errors/problem-list.ts';
import type { ScannedTool } from '../../scanner/actions/scan-tools.ts';
import { MAX_READ_LENGTH } from '../../schema/client-rules.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';
import { describeBySignatures } from './describe-signatures.ts';
import { generateSchema } from './generate-schema.ts';
import {
  factsOf,
  flatName,
  publishedVersions,
  type PreparedAction,
  type ToolLayout,
  type ToolPart,
} from './prepared-tool.ts';

/**
 * Chooses the layout. It is that of the whole tool for every caller, or the names of tools would depend on what a
 * caller may see.
 */
export function chooseLayout(
  tool: ScannedTool,
  common: ObjectSchema | undefined,
  actions: readonly PreparedAction[],
): ToolLayout {
  if (tool.expose === 'flat' || tool.describe !== 'signatures' || isReadWhole(tool, common, actions))
    return 'whole';
  const groups = [...new Set(actions.map(firstGroup))];
  if (groups.length < 2) return 'flat';
  const parts = groups.map((group = ''): ToolPart => {
    const own = actions.filter((action) => firstGroup(action) === group);
    return { group, isFlat: !isReadWhole(partOf(tool, group), common, own) };
  });
  return parts.every(({ isFlat }) => isFlat) ? 'flat' : Object.freeze(parts);
}

/** The actions of a part. */
export function actionsIn(
  { group }: ToolPart,
  actions: readonly PreparedAction[],
): readonly PreparedAction[] {
  return actions.filter((action) => firstGroup(action) === group);
}

/** The tool that a part of another one is listed as. */
export function partOf(tool: ScannedTool, group: string): ScannedTool {
  const description = tool.groups.find(({ path }) => path === group)?.description;
  return Object.freeze({
    ...tool,
    name: flatName(tool.prefix, group, tool.separator),
    title: undefined,
    description: description ?? tool.description,
    groups: tool.groups.filter(({ path }) => path.startsWith(`${group}.`)),
    annotations: { ...tool.annotations, title: undefined },
  });
}

/** Reports a layout that the author did not ask for. */
export function reportLayout({ where, name }: ScannedTool, layout: ToolLayout, notices: ProblemList): void {
  if (layout === 'whole') return;
  const tools =
    layout === 'flat' ? 'one tool for each action' : `${String(layout.length)} tools, one for each group`;
  notices.at(where).add('TW_SURFACE_SHORTENED', {
    what: `is listed as ${tools} below "${name}": its signatures alone are longer than ${String(MAX_READ_LENGTH)} characters.`,
    why: 'clients cut a longer description, and a model does not know the actions at its end.',
    fix: "make several groups of it, or list the actions as tools of their own: expose: 'flat'",
  });
}

function firstGroup({ scanned: { group } }: PreparedAction): string | undefined {
  return group?.split('.')[0];
}

function isReadWhole(
  tool: ScannedTool,
  common: ObjectSchema | undefined,
  actions: readonly PreparedAction[],
): boolean {
  const facts = factsOf(tool, common, publishedVersions(actions));
  const reports = { problems: new ProblemList(), notices: new ProblemList() };
  return !describeBySignatures(facts, generateSchema(facts, reports)).isTooLong;
}
