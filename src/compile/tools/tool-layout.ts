import { Buffer } from 'node:buffer';
import { ProblemList } from '../../errors/problem-list.ts';
import type { WarningCode } from '../../errors/catalogue.ts';
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
  const whole = { name: tool.name, title: undefined, group: undefined, keys: keysOf(actions), isFlat: false };
  const parts = fitPart({ tool, common, actions }, whole, (group, own) => ({
    name: flatName(tool.prefix, group, tool.separator),
    title: undefined,
    group,
    keys: keysOf(own),
    isFlat: false,
  }));
  return parts.every(({ isFlat }) => isFlat) ? 'flat' : Object.freeze(parts);
}

/** The actions that a part is chosen for. */
interface PartScene {
  readonly tool: ScannedTool;
  readonly common: ObjectSchema | undefined;
  readonly actions: readonly PreparedAction[];
}

/** A part that clients read whole; else one for each group, each flat where it is still too long; else one that is flat. */
export function fitPart(
  { tool, common, actions }: PartScene,
  whole: ToolPart,
  inGroup: (group: string, own: readonly PreparedAction[]) => ToolPart,
): readonly ToolPart[] {
  if (isReadWhole(partOf(tool, whole), common, actions)) return [whole];
  const groups = [...new Set(actions.map(firstGroup))];
  if (groups.length < 2) return [{ ...whole, isFlat: true }];
  return groups.map((group = '') => {
    const own = actions.filter((action) => firstGroup(action) === group);
    const part = inGroup(group, own);
    return Object.freeze({ ...part, isFlat: !isReadWhole(partOf(tool, part), common, own) });
  });
}

function keysOf(actions: readonly PreparedAction[]): ReadonlySet<string> {
  return new Set(actions.map(({ scanned }) => scanned.key));
}

/** The actions of a part. */
export function actionsIn({ keys }: ToolPart, actions: readonly PreparedAction[]): readonly PreparedAction[] {
  return actions.filter(({ scanned }) => keys.has(scanned.key));
}

/** The tool that a part of another one is listed as. */
export function partOf(tool: ScannedTool, { name, title, group }: ToolPart): ScannedTool {
  const annotations = { ...tool.annotations, title: undefined };
  if (group === undefined) return Object.freeze({ ...tool, name, title, annotations });
  const description = tool.groups.find(({ path }) => path === group)?.description;
  return Object.freeze({
    ...tool,
    name,
    title,
    description: description ?? tool.description,
    groups: tool.groups.filter(({ path }) => path.startsWith(`${group}.`)),
    annotations,
  });
}

/** Reports a layout that the author did not ask for. */
export function reportLayout(
  { where, name }: ScannedTool,
  layout: ToolLayout,
  notices: ProblemList<WarningCode>,
): void {
  if (layout === 'whole') return;
  const tools =
    layout === 'flat' ? 'one tool for each action' : `${String(layout.length)} tools, one for each group`;
  notices.at(where).add('TW_SURFACE_SHORTENED', {
    what: `is listed as ${tools} below "${name}": its signatures alone are longer than ${String(MAX_READ_LENGTH)} characters.`,
    why: 'clients cut a longer description, and a model does not know the actions at its end.',
    fix: "make several groups of it, or list the actions as tools of their own: expose: 'flat'",
  });
}

/** The layout with each part flat whose schema is larger than clients of a surface take whole. */
export function withSmallSchemas(
  { tool, common, actions }: PartScene,
  layout: ToolLayout,
  maxBytes: number,
  notices: ProblemList<WarningCode>,
): ToolLayout {
  if (layout === 'flat' || maxBytes === Infinity) return layout;
  const isLarge = (listed: ScannedTool, own: readonly PreparedAction[]): boolean => {
    const facts = factsOf(listed, common, publishedVersions(own));
    const schema = generateSchema(facts, {
      problems: new ProblemList(),
      notices: new ProblemList<WarningCode>(),
    });
    const bytes = Buffer.byteLength(JSON.stringify(schema));
    if (bytes <= maxBytes) return false;
    notices.at(listed.where).add('TW_SURFACE_SHORTENED', {
      what: `lists the actions of "${listed.name}" as tools of their own: its schema has ${String(bytes)} bytes.`,
      why: `some clients drop the descriptions of a schema of more than ${String(maxBytes)} bytes.`,
      fix: 'nothing; or make several groups of it',
    });
    return true;
  };
  if (layout === 'whole') return isLarge(tool, actions) ? 'flat' : layout;
  return Object.freeze(
    layout.map((part) =>
      part.isFlat || !isLarge(partOf(tool, part), actionsIn(part, actions))
        ? part
        : Object.freeze({ ...part, isFlat: true }),
    ),
  );
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
  const reports = { problems: new ProblemList(), notices: new ProblemList<WarningCode>() };
  return !describeBySignatures(facts, generateSchema(facts, reports)).isTooLong;
}
