import type { Converted, TargetOptions } from '../adapters/format-adapter.ts';
import { admitted } from '../adapters/writing.ts';
import type { CanonicalTool } from '../canonical/canonical-tool.ts';
import { toolId } from '../canonical/ids.ts';
import { Conversion } from '../errors.ts';
import type { FeatureLossWarning } from '../losses.ts';
import { createNameMap, groupBy, type NameEntry, type NameMap } from '../names.ts';

/** A warning about one tool of a set. */
export interface SetWarning extends FeatureLossWarning {
  readonly toolId: string;
}

/** The tools of a set in the form of a target, in the order of the set. */
export interface ConvertedSet {
  readonly tools: readonly unknown[];
  /** Tool after tool, in the order of the set. */
  readonly warnings: readonly SetWarning[];
  /** The names of all tools. */
  readonly names: NameMap;
}

interface Member {
  readonly id: string;
  readonly tool: CanonicalTool;
  readonly converted: Converted;
}

/** Writes the tools of a set; those that would have the same name get a hash of their id. */
export function convertSet(
  tools: readonly CanonicalTool[],
  adapter: string,
  write: (tool: CanonicalTool, options: TargetOptions) => Converted,
  options: TargetOptions,
): ConvertedSet {
  const conversion = new Conversion(adapter, 'fromCanonical');
  refuse(tools.map(toolId), conversion, 'DUPLICATE_TOOL', 'is the id of more than one tool');
  // All warnings are needed to see whose name was changed; which of them count is decided afterwards
  const plain: TargetOptions = { ...options, onLoss: 'warn', ignore: [] };
  const members = tools.map((tool) => ({ id: toolId(tool), tool, converted: write(tool, plain) }));
  const groups = groupBy(members, nameOf);
  const settled = members.map((member) => {
    const rivals = groups.get(nameOf(member)) ?? [];
    if (rivals.length < 2 || keeperOf(rivals) === member) return member;
    return { ...member, converted: write(member.tool, { ...plain, hashName: true }) };
  });
  refuse(settled.map(nameOf), conversion, 'NAME_COLLISION', 'is the name of more than one tool');
  return Object.freeze({
    tools: Object.freeze(settled.map(({ converted }) => converted.tool)),
    warnings: Object.freeze(settled.flatMap((member) => warningsOf(member, options, conversion))),
    names: createNameMap(settled.map(entryOf)),
  });
}

function nameOf({ id, converted }: Member): string {
  return converted.names.toProvider(id) ?? id;
}

/** The only one whose name is what it is without any change. */
function keeperOf(rivals: readonly Member[]): Member | undefined {
  const unchanged = rivals.filter(
    ({ converted }) => !converted.warnings.some(({ feature }) => feature === 'name'),
  );
  return unchanged.length === 1 ? unchanged[0] : undefined;
}

function refuse(
  names: readonly string[],
  conversion: Conversion,
  code: 'DUPLICATE_TOOL' | 'NAME_COLLISION',
  what: string,
): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) conversion.fail(code, '/name', `"${name}" ${what}.`);
    seen.add(name);
  }
}

function warningsOf(
  { id, converted }: Member,
  options: TargetOptions,
  conversion: Conversion,
): readonly SetWarning[] {
  return admitted(converted.warnings, options, conversion).map((each) =>
    Object.freeze({ ...each, toolId: id }),
  );
}

function entryOf(member: Member): NameEntry {
  const { id, converted } = member;
  const providerName = nameOf(member);
  return { toolId: id, providerName, decode: (args) => converted.names.decodeArguments(providerName, args) };
}
