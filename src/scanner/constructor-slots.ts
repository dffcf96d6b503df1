import { ToolContext } from '../call/tool-context.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import { constructorSignature, type DesignType } from '../metadata/design-types.ts';
import type { ParameterRecord } from '../metadata/records.ts';
import { classChain, hasRecords, ownRecords } from '../metadata/record-store.ts';
import type { Class } from '../shared/class-type.ts';
import type { Token } from '../shared/token.ts';
import { reportUndefined } from './check-options.ts';
import { explain } from './explain-type.ts';
import { isToken } from './read-provider.ts';
import { resolveReference } from './resolve-reference.ts';

/** One parameter of a constructor or factory; without a token the reason has been reported. */
export interface Slot {
  readonly where: string;
  readonly token: Token | undefined;
  readonly isOptional: boolean;
}

/** Every parameter of the constructor that `new type()` runs, its own or an inherited one. */
export function constructorSlots(type: Class, problems: ProblemList): readonly Slot[] {
  const owner = classChain(type).find(
    (candidate) => constructorSignature(candidate) !== undefined || parameterRecords(candidate).length > 0,
  );
  if (owner === undefined) return [];
  const records = parameterRecords(owner);
  const types = constructorSignature(owner)?.types ?? [];
  const count = Math.max(types.length, ...records.map((record) => record.index + 1));
  return Array.from({ length: count }, (_, index) => {
    const where = `${type.name} constructor #${String(index + 1)}`;
    const record = records.findLast((candidate) => candidate.index === index);
    if (record !== undefined) return explicitSlot(record, where, problems);
    return typedSlot(types[index] ?? { kind: 'notEmitted' }, { type, owner, where, index }, problems);
  });
}

/** The token of `@Inject(token)` or `@Inject(() => token)`; undefined after reporting that it is missing. */
export function injectedToken(token: unknown, where: string, problems: ProblemList): Token | undefined {
  const resolved = resolveReference(token);
  if (isToken(resolved)) return resolved;
  reportUndefined(where, '@Inject(undefined)', '@Inject(() => TheClass)', problems);
  return undefined;
}

function parameterRecords(type: Class): readonly ParameterRecord[] {
  return ownRecords(type, 'parameter').filter((record) => record.member === undefined);
}

function explicitSlot({ source }: ParameterRecord, where: string, problems: ProblemList): Slot {
  if (source.kind === 'context') return { where, token: ToolContext, isOptional: false };
  if (source.kind === 'inject') {
    return { where, token: injectedToken(source.token, where, problems), isOptional: source.isOptional };
  }
  problems.add('TW_SCAN_PARAMETER_UNKNOWN', {
    where,
    what: 'has @Input, but only actions have an input.',
    fix: '@Inject(Token), or take the input in the action',
  });
  return { where, token: undefined, isOptional: false };
}

interface SlotPlace {
  readonly type: Class;
  /** The class that declares the constructor. */
  readonly owner: Class;
  readonly where: string;
  readonly index: number;
}

function typedSlot(design: DesignType, place: SlotPlace, problems: ProblemList): Slot {
  const { where } = place;
  if (design.kind === 'class') return { where, token: design.type, isOptional: false };
  const slot = `@Inject(Token) on parameter #${String(place.index + 1)} of ${place.owner.name}`;
  const isUndecorated = design.kind === 'notEmitted' && !hasRecords(place.owner);
  const { why, repair } = explain(design);
  problems.add('TW_SCAN_DEPENDENCY_UNTYPED', {
    where,
    what: 'cannot be injected: its class is not known.',
    why: isUndecorated
      ? `${place.owner.name} has no decorator, so the compiler wrote no types for it.`
      : explainSlot(design, why),
    fix: isUndecorated
      ? `@Injectable() on ${place.owner.name}, or ${slot}`
      : `${slot}, or ${design.kind === 'primitive' ? 'use a class' : repair}`,
  });
  return { where, token: undefined, isOptional: false };
}

function explainSlot(design: DesignType, why: string): string {
  return design.kind === 'primitive' ? `its type is ${design.name}, which is no token.` : why;
}
