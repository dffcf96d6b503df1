import type { ToolAnnotationHints } from '../../metadata/options.ts';
import type { ScannedTool } from '../../scanner/actions/scan-tools.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';
import { titleFromName } from '../../shared/names.ts';
import { flatName, type PreparedAction, type ToolPart } from '../tools/prepared-tool.ts';
import { fitPart } from '../tools/tool-layout.ts';
import { RISKS, type Risk, type RiskNames } from './surface.ts';

/** As a person reads it behind the name of a tool. */
const SAID: Readonly<Record<Risk, string>> = { read: 'read', write: 'change', destructive: 'destructive' };

/**
 * Up to three parts of a tool, so that a client can let all that only reads pass. Each has a suffix, also where it is the
 * only one: a bare name would tell a caller that nothing is hidden.
 */
export function chooseRiskLayout(
  tool: ScannedTool,
  common: ObjectSchema | undefined,
  actions: readonly PreparedAction[],
  riskNames: RiskNames,
): readonly ToolPart[] {
  const risks = findRisks(actions);
  const suffixes = [...new Set(RISKS.map((risk) => riskNames[risk]))];
  const parts = suffixes.flatMap((suffix) => {
    const kept = RISKS.filter((risk) => riskNames[risk] === suffix);
    const own = actions.filter(({ scanned }) => kept.includes(risks.get(scanned.key) ?? 'write'));
    if (own.length === 0) return [];
    // By the names alone: what is there would tell a caller of actions that are hidden
    const said = ` (${kept.map((risk) => SAID[risk]).join(', ')})`;
    const nameIn = (name: string): string => [name, suffix].join(tool.separator);
    const title = tool.title ?? titleFromName(tool.name);
    const whole = partWith(own, { name: nameIn(tool.name), title: `${title}${said}`, group: undefined });
    const inGroup = (group: string, members: readonly PreparedAction[]): ToolPart => {
      const name = flatName(tool.prefix, group, tool.separator);
      return partWith(members, { name: nameIn(name), title: `${titleFromName(name)}${said}`, group });
    };
    return fitPart({ tool, common, actions: own }, whole, inGroup);
  });
  return Object.freeze(parts);
}

function partWith(
  actions: readonly PreparedAction[],
  { name, title, group }: Pick<ToolPart, 'name' | 'title' | 'group'>,
): ToolPart {
  const keys = new Set(actions.map(({ scanned }) => scanned.key));
  return Object.freeze({ name, title, group, keys, isFlat: false });
}

/** The risk of each key: of one with several versions, that of the most dangerous one. */
export function findRisks(actions: readonly PreparedAction[]): ReadonlyMap<string, Risk> {
  const risks = new Map<string, Risk>();
  for (const { scanned } of actions) {
    const own = scanned.isDestructive ? 'destructive' : scanned.isReadOnly ? 'read' : 'write';
    const known = risks.get(scanned.key) ?? 'read';
    risks.set(scanned.key, RISKS.indexOf(own) > RISKS.indexOf(known) ? own : known);
  }
  return risks;
}

/** Hints of a whole group do not hold for a part of it: what is left says nothing about risks. */
export function withoutRisks(annotations: ToolAnnotationHints): ToolAnnotationHints {
  const {
    readOnlyHint: _read,
    destructiveHint: _destructive,
    idempotentHint: _idempotent,
    ...others
  } = annotations;
  return Object.freeze(others);
}
