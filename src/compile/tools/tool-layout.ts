import { Buffer } from 'node:buffer';
import { ProblemList } from '../../errors/problem-list.ts';
import type { WarningCode } from '../../errors/catalogue.ts';
import type { ScannedTool } from '../../scanner/actions/scan-tools.ts';
import { MAX_READ_LENGTH } from '../../schema/client-rules.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';
import { describeBySignatures } from './describe-signatures.ts';
import { generateDescription } from './describe-tool.ts';
import { generateSchema } from './generate-schema.ts';
import {
  factsOf,
  flatName,
  inputOf,
  publishedVersions,
  type PreparedAction,
  type ToolFacts,
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

/** Lays out the actions that may stand together; those that are apart are tools of their own beside them. */
export function layoutApart(
  tool: ScannedTool,
  actions: readonly PreparedAction[],
  layout: (others: readonly PreparedAction[]) => ToolLayout,
): ToolLayout {
  const apart = keysOf(actions.filter((action) => action.apart !== undefined));
  if (apart.size === 0 || tool.expose === 'flat') return layout(actions);
  const others = actions.filter(({ scanned }) => !apart.has(scanned.key));
  const chosen = others.length === 0 ? 'flat' : layout(others);
  if (chosen === 'flat') return 'flat';
  const { name, annotations } = tool;
  const together = { name, group: undefined, isFlat: false };
  const parts: readonly ToolPart[] =
    chosen === 'whole'
      ? [{ ...together, title: tool.title ?? annotations.title, keys: keysOf(others) }]
      : chosen;
  return Object.freeze([
    ...parts,
    Object.freeze({ ...together, title: undefined, keys: apart, isFlat: true }),
  ]);
}

/** The actions that a part is chosen for. */
interface PartScene {
  readonly tool: ScannedTool;
  readonly common: ObjectSchema | undefined;
  readonly actions: readonly PreparedAction[];
}

/**
 * A part that clients read whole; else one for each group. Where one is still too long, it is flat, or plain text where that
 * costs less.
 */
export function fitPart(
  { tool, common, actions }: PartScene,
  whole: ToolPart,
  inGroup: (group: string, own: readonly PreparedAction[]) => ToolPart,
): readonly ToolPart[] {
  if (isReadWhole(partOf(tool, whole), common, actions)) return [whole];
  const groups = [...new Set(actions.map(firstGroup))];
  if (groups.length < 2) return [withoutSignatures({ tool, common, actions }, whole)];
  return groups.map((group = '') => {
    const own = actions.filter((action) => firstGroup(action) === group);
    const part = inGroup(group, own);
    const scene = { tool, common, actions: own };
    return isReadWhole(partOf(tool, part), common, own)
      ? Object.freeze(part)
      : withoutSignatures(scene, part);
  });
}

/** A part whose signatures are too long, in the form that costs less. */
function withoutSignatures({ tool, common, actions }: PartScene, part: ToolPart): ToolPart {
  const plain: ToolPart = Object.freeze({ ...part, isPlain: true });
  const published = publishedVersions(actions);
  const facts = factsOf(partOf(tool, plain), common, published);
  const together = { inputSchema: composeSchema(facts), description: generateDescription(facts) };
  const apart = published.map((action) => ({
    name: flatName(tool.prefix, action.facts.key, tool.separator),
    title: action.scanned.title,
    description: action.scanned.description,
    inputSchema: inputOf(common, action, new ProblemList()),
  }));
  return measureLength(apart) <= measureLength([together]) ? Object.freeze({ ...part, isFlat: true }) : plain;
}

/** The same for each tool of a list. */
const HINTS_LENGTH = 100;

function measureLength(tools: readonly object[]): number {
  return JSON.stringify(tools).length + tools.length * HINTS_LENGTH;
}

function composeSchema(facts: ToolFacts): ObjectSchema {
  return generateSchema(facts, { problems: new ProblemList(), notices: new ProblemList<WarningCode>() });
}

function keysOf(actions: readonly PreparedAction[]): ReadonlySet<string> {
  return new Set(actions.map(({ scanned }) => scanned.key));
}

/** The actions of a part. */
export function actionsIn({ keys }: ToolPart, actions: readonly PreparedAction[]): readonly PreparedAction[] {
  return actions.filter(({ scanned }) => keys.has(scanned.key));
}

/** The tool that a part of another one is listed as. */
export function partOf(given: ScannedTool, { name, title, group, isPlain = false }: ToolPart): ScannedTool {
  const tool: ScannedTool = isPlain
    ? { ...given, describe: 'plain', maxDescription: given.maxDescription ?? MAX_READ_LENGTH }
    : given;
  const annotations = { ...tool.annotations, title: undefined };
  if (group === undefined) return Object.freeze({ ...tool, name, title: title ?? tool.title, annotations });
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
  { where, name, maxDescription = MAX_READ_LENGTH }: ScannedTool,
  layout: ToolLayout,
  notices: ProblemList<WarningCode>,
): void {
  if (layout === 'whole') return;
  notices.at(where).add('TW_SURFACE_SHORTENED', {
    what: `is listed ${sayLayout(layout)} below "${name}": its signatures alone are longer than ${String(maxDescription)} characters.`,
    why: 'clients cut a longer description, and a model does not know the actions at its end.',
    fix: "make several groups of it, or list the actions as tools of their own: expose: 'flat'",
  });
}

function sayLayout(layout: Exclude<ToolLayout, 'whole'>): string {
  if (layout === 'flat') return 'as one tool for each action';
  if (layout.some(({ group }) => group !== undefined))
    return `as ${String(layout.length)} tools, one for each group`;
  return layout.some(({ isPlain }) => isPlain) ? 'without signatures' : 'as one tool for each action';
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
    const bytes = Buffer.byteLength(JSON.stringify(composeSchema(facts)));
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
  return !describeBySignatures(facts, composeSchema(facts)).isTooLong;
}
