import { ToolContext } from '../../call/tool-context.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import type { DesignType } from '../../metadata/design-types.ts';
import type { ParameterRecord } from '../../metadata/records.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import type { MethodDraft } from '../members/declared-members.ts';
import type { ScannedParameter } from '../members/scanned-callable.ts';
import { injectedSlot } from '../providers/constructor-slots.ts';
import { findInjected } from '../providers/find-injected.ts';
import { findOfUser, findProvider, type TokenSpace } from '../providers/token-lookup.ts';

/** A method in one of its places, where `commons` are the common schemas above it. */
export interface ParameterScene {
  readonly method: MethodDraft;
  readonly commons: readonly SchemaSource[];
  readonly space: TokenSpace;
  readonly problems: ProblemList;
}

/** The meaning of one parameter, seen on its own. */
export type Classified =
  | { readonly kind: 'settled'; readonly parameter: ScannedParameter }
  /** Declared as the input, by @Input or because it has the class that the method's decorator names. */
  | { readonly kind: 'input'; readonly explicit: SchemaSource | undefined; readonly design: DesignType }
  | { readonly kind: 'open'; readonly design: DesignType };

/** An explicit decorator wins over the emitted type. */
export function classifyParameter(
  record: ParameterRecord | undefined,
  design: DesignType,
  index: number,
  scene: ParameterScene,
): Classified {
  if (record === undefined) return classifyByType(design, index, scene);
  const { source } = record;
  if (source.kind === 'context') return settled({ kind: 'context' });
  const { method, commons, space, problems } = scene;
  if (source.kind === 'input') {
    const common = source.type === method.options.input ? undefined : findCommon(source.type, commons);
    return common ?? { kind: 'input', explicit: source.type, design };
  }
  const where = parameterName(method, index);
  const { home } = method.controller;
  if (source.kind === 'tsyringe') {
    const draft = findInjected(source.injection, { where, home }, space, problems);
    return settled({ kind: 'provider', key: draft?.key });
  }
  const { token, isOptional } = injectedSlot(source.token, source.options, '@Inject', problems.at(where));
  if (token === undefined) return settled({ kind: 'provider', key: undefined });
  if (token === ToolContext) return settled({ kind: 'context' });
  const request = { token, home, where, isOptional };
  return settled({ kind: 'provider', key: findProvider(request, space, problems)?.key });
}

/** `TasksController.create() #2`. */
export function parameterName(method: MethodDraft, index: number): string {
  return `${method.where} #${String(index + 1)}`;
}

function classifyByType(design: DesignType, index: number, scene: ParameterScene): Classified {
  const { method, commons, space, problems } = scene;
  if (design.kind !== 'class') {
    return method.remaining === 'context' && index === 0 && isUntyped(design)
      ? settled({ kind: 'context' })
      : { kind: 'open', design };
  }
  const { type } = design;
  if (type === method.options.input) return { kind: 'input', explicit: undefined, design };
  if (type === ToolContext) return settled({ kind: 'context' });
  const common = findCommon(type, commons);
  if (common !== undefined) return common;
  const { home } = method.controller;
  if (space.scopes.get(home)?.visible.has(type) !== true && findOfUser(type, space) === undefined)
    return { kind: 'open', design };
  const where = parameterName(method, index);
  return settled({ kind: 'provider', key: findProvider({ token: type, home, where }, space, problems)?.key });
}

/** True if the emitted type gives no hint about the meaning. */
export function isUntyped({ kind }: DesignType): boolean {
  return kind === 'notEmitted' || kind === 'erased';
}

function findCommon(type: unknown, commons: readonly SchemaSource[]): Classified | undefined {
  const source = commons.find((common) => common === type);
  return source === undefined ? undefined : settled({ kind: 'common', source });
}

function settled(parameter: ScannedParameter): Classified {
  return { kind: 'settled', parameter: Object.freeze(parameter) };
}
