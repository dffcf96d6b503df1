import { ToolContext } from '../../call/tool-context.ts';
import type { ProblemList, ProblemPlace } from '../../errors/problem-list.ts';
import type { ErrorFacts } from '../../errors/toolwright-error.ts';
import { constructorSignature, hasMethodTypes, type DesignType } from '../../metadata/design-types.ts';
import { constructorInjections, type Injection } from '../../metadata/injections.ts';
import { INJECT_RULES } from '../../metadata/option-rules.ts';
import type { InjectOptions } from '../../metadata/module-options.ts';
import {
  classChain,
  hasClassRecord,
  hasRecords,
  ownRecords,
  type ParameterRecord,
} from '../../metadata/records.ts';
import type { Class, Token } from '../../shared/class-type.ts';
import { readOptions, reportUndefined, resolveReference } from '../check-options.ts';
import { EMIT_TYPES, explain, offerRepair } from '../parameters/explain-type.ts';
import { isToken } from './read-provider.ts';

/** One parameter of a constructor or factory; without a token the reason has been reported. */
export interface Slot {
  readonly where: string;
  readonly token: Token | undefined;
  readonly isOptional: boolean;
  /** The token is the parameter's type; at run time `store?: Store` looks like `store: Store`. */
  readonly isTyped?: boolean;
  /** In place of the token: what a decorator of tsyringe says. */
  readonly injection?: Injection;
}

/** Every parameter of the constructor that `new type()` runs, its own or an inherited one. */
export function constructorSlots(type: Class, problems: ProblemList): readonly Slot[] {
  // Object declares a parameter but needs none; a mixin without another base class extends it.
  const owner = classChain(type).find(
    (candidate) =>
      (candidate as unknown) !== Object &&
      (constructorSignature(candidate) !== undefined ||
        parameterRecords(candidate).length > 0 ||
        constructorInjections(candidate).size > 0),
  );
  if (owner === undefined) return [];
  const records = parameterRecords(owner);
  const types = constructorSignature(owner)?.types ?? [];
  const injections = constructorInjections(owner);
  const explicit = [...records.map(({ index }) => index), ...injections.keys()];
  const count = Math.max(types.length, ...explicit.map((index) => index + 1));
  return Array.from({ length: count }, (_, index) => {
    const where = `${type.name} constructor #${String(index + 1)}`;
    const record = records.findLast((candidate) => candidate.index === index);
    if (record !== undefined) return explicitSlot(record, where, problems);
    const injection = injections.get(index);
    if (injection !== undefined) return injectionSlot(injection, where);
    return typedSlot(types[index] ?? { kind: 'notEmitted' }, { type, owner, where, index }, problems);
  });
}

/** The slot of `@Inject(token, options)` or of an entry of `inject`; a missing token is reported and left out. */
export function injectedSlot(token: unknown, options: InjectOptions, of: string, here: ProblemPlace): Slot {
  const { optional = false } = readOptions(options, INJECT_RULES, of, here);
  const resolved = resolveReference(token);
  if (isToken(resolved)) return { where: here.where, token: resolved, isOptional: optional };
  reportUndefined('@Inject(undefined)', '@Inject(() => TheClass)', here);
  return { where: here.where, token: undefined, isOptional: optional };
}

/** The slot of a parameter with a decorator of tsyringe. */
function injectionSlot(injection: Injection, where: string): Slot {
  return { where, token: undefined, isOptional: injection.isOptional, injection };
}

function parameterRecords(type: Class): readonly ParameterRecord[] {
  return ownRecords(type, 'parameter').filter((record) => record.member === undefined);
}

function explicitSlot({ source }: ParameterRecord, where: string, problems: ProblemList): Slot {
  if (source.kind === 'context') return { where, token: ToolContext, isOptional: false };
  if (source.kind === 'tsyringe') return injectionSlot(source.injection, where);
  if (source.kind === 'inject') {
    return injectedSlot(source.token, source.options, '@Inject', problems.at(where));
  }
  problems.at(where).add('TW_SCAN_PARAMETER_UNKNOWN', {
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
  if (design.kind === 'class') return { where, token: design.type, isOptional: false, isTyped: true };
  problems.at(where).add('TW_SCAN_DEPENDENCY_UNTYPED', {
    what: 'cannot be injected: its class is not known.',
    ...(design.kind === 'notEmitted' && !hasClassRecord(place.owner)
      ? explainUndecorated(place)
      : explainSlot(design, place)),
  });
  return { where, token: undefined, isOptional: false };
}

type Explained = Pick<ErrorFacts, 'why' | 'fix'>;

function explainSlot(design: Exclude<DesignType, { kind: 'class' }>, place: SlotPlace): Explained {
  const { why, repair } = explain(design);
  return design.kind === 'primitive'
    ? { why: `its type is ${design.name}, which is not a token.`, fix: `${injectOn(place)}, or use a class` }
    : { why, fix: offerRepair(design, injectOn(place), repair) };
}

/** Compilers emit the types of a constructor only if its class has a decorator. */
function explainUndecorated(place: SlotPlace): Explained {
  const { type, owner } = place;
  const decorate = `@Injectable() on ${owner.name}`;
  if (!hasRecords(owner)) {
    const why = `${owner.name} has no decorator, so the compiler wrote no types for it.`;
    if (owner === type) return { why, fix: `${decorate}, or ${injectOn(place)}` };
    const constructor = `a constructor in ${type.name} that calls super(…)`;
    return { why, fix: isNative(owner) ? constructor : `${decorate}, or ${constructor}` };
  }
  return {
    why: `${owner.name} has decorators on its methods only; compilers write the types of a constructor for a decorated class.`,
    fix: hasMethodTypes(owner)
      ? `${decorate}, or ${injectOn(place)}`
      : `${decorate}, and ${EMIT_TYPES}; or ${injectOn(place)}`,
  };
}

function injectOn({ index, owner }: SlotPlace): string {
  return `@Inject(Token) on parameter #${String(index + 1)} of ${owner.name}`;
}

/** True for built-in classes such as Map, which cannot be decorated. */
function isNative(type: Class): boolean {
  return Function.prototype.toString.call(type).includes('[native code]');
}
