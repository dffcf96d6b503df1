import type { ProblemList, ProblemPlace } from '../../errors/problem-list.ts';
import { INJECTABLE_RULES, PROVIDER_RULES } from '../../metadata/option-rules.ts';
import type { Delayed } from '../../metadata/injections.ts';
import type { Scope } from '../../metadata/module-options.ts';
import { nearestRecord } from '../../metadata/records.ts';
import { isClass, type Class, tokenName, type Token } from '../../shared/class-type.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { readOptions, reportUndefined, resolveReference } from '../check-options.ts';
import type { ModuleNode } from '../modules/scan-modules.ts';
import type { ComposedRecipe, ProviderKey, RegisteredRecipe } from './scanned-provider.ts';

/** A provider whose dependencies are not looked up yet. */
export interface ProviderDraft {
  readonly key: ProviderKey;
  readonly token: Token;
  /** The name of the class, or the token. */
  readonly where: string;
  readonly scope: Scope;
  readonly recipe: DraftRecipe;
  /** The module in which its dependencies are looked up; undefined for providers of the framework. */
  readonly home: ModuleNode | undefined;
  /** No module declares it: the user's tsyringe container knows it. */
  readonly isOfUser?: boolean;
}

/** A dependency and the place that needs it; without a draft, it is optional or has been reported. */
export interface Edge {
  readonly where: string;
  readonly to: ProviderDraft | undefined;
  /** It is made when it is first used, so it may need what needs it. */
  readonly isDelayed?: boolean;
}

export type DraftRecipe =
  | { readonly kind: 'class'; readonly type: Class }
  | { readonly kind: 'value'; readonly value: unknown }
  | {
      readonly kind: 'factory';
      readonly create: (...dependencies: never[]) => unknown;
      readonly inject: readonly unknown[];
    }
  | { readonly kind: 'existing'; readonly token: Token | Delayed }
  | { readonly kind: 'context' }
  | RegisteredRecipe
  | (ComposedRecipe & { readonly parts: readonly Edge[] });

/** The meaning of a provider entry, independent of a module. */
export interface ProviderMeaning {
  readonly token: Token;
  readonly recipe: DraftRecipe;
  readonly scope: Scope;
}

const RECIPES = ['useClass', 'useValue', 'useFactory', 'useExisting'] as const;

/** The fix for a class that does not exist yet. */
export const MOVE = 'break the import circle: move the class to a file of its own';

/** The meaning of one entry of `providers` or `overrides`; an invalid entry is reported and gives undefined. */
export function readProvider(entry: unknown, place: string, here: ProblemPlace): ProviderMeaning | undefined {
  if (entry === undefined) {
    reportUndefined(place, MOVE, here);
    return undefined;
  }
  if (isClass(entry)) {
    return { token: entry, recipe: { kind: 'class', type: entry }, scope: scopeOf(entry, here.problems) };
  }
  if (typeof entry === 'object' && entry !== null) {
    return readProviderObject(entry as Readonly<Record<string, unknown>>, place, here);
  }
  return reportInvalid(`holds ${describeValue(entry)} at ${place}, which is not a provider.`, here);
}

/** The lifetime that a class declares, or that of the nearest base class that declares one. */
export function scopeOf(type: Class, problems: ProblemList): Scope {
  const record = nearestRecord(type, 'injectable');
  if (record === undefined) return 'singleton';
  const { options } = record;
  return readOptions(options, INJECTABLE_RULES, '@Injectable', problems.at(type.name)).scope ?? 'singleton';
}

/** The class whose instances a provider gives, as far as it is known. */
export function classOf({ recipe }: ProviderDraft): Class | undefined {
  return recipe.kind === 'class' || recipe.kind === 'registered' ? recipe.type : undefined;
}

/** True for a value that can be a token. */
export function isToken(value: unknown): value is Token {
  return isClass(value) || (typeof value === 'string' && value !== '') || typeof value === 'symbol';
}

function readProviderObject(
  given: Readonly<Record<string, unknown>>,
  place: string,
  here: ProblemPlace,
): ProviderMeaning | undefined {
  const of = `a provider (${place})`;
  const entry = readOptions<Readonly<Record<string, unknown>>>(given, PROVIDER_RULES, of, here);
  const token = resolveReference(entry['provide']);
  if (!isToken(token)) {
    return reportInvalid(`has a provider (${place}) whose \`provide\` is ${describeValue(token)}.`, here);
  }
  const named = RECIPES.filter((name) => Object.hasOwn(entry, name));
  const [name] = named;
  const owner = `has a provider of ${tokenName(token)}`;
  if (name === undefined) return reportInvalid(`${owner} that says nothing of how it is made.`, here);
  if (named.length > 1) return reportInvalid(`${owner} that says ${named.join(' and ')}.`, here);
  const recipe = readRecipe(name, entry);
  if (recipe === undefined)
    return reportInvalid(`${owner} whose ${name} is ${describeValue(entry[name])}.`, here);
  return { token, recipe, scope: scopeOfObject(entry['scope'] as Scope | undefined, recipe, here.problems) };
}

function readRecipe(
  name: (typeof RECIPES)[number],
  entry: Readonly<Record<string, unknown>>,
): DraftRecipe | undefined {
  const value = name === 'useClass' || name === 'useExisting' ? resolveReference(entry[name]) : entry[name];
  if (name === 'useValue') return { kind: 'value', value };
  if (name === 'useClass') return isClass(value) ? { kind: 'class', type: value } : undefined;
  if (name === 'useExisting') return isToken(value) ? { kind: 'existing', token: value } : undefined;
  if (typeof value !== 'function') return undefined;
  const inject = (entry['inject'] ?? []) as readonly unknown[];
  return { kind: 'factory', create: value as (...dependencies: never[]) => unknown, inject };
}

function scopeOfObject(scope: Scope | undefined, recipe: DraftRecipe, problems: ProblemList): Scope {
  if (recipe.kind === 'value' || recipe.kind === 'existing') return 'singleton';
  if (scope !== undefined) return scope;
  return recipe.kind === 'class' ? scopeOf(recipe.type, problems) : 'singleton';
}

function reportInvalid(what: string, here: ProblemPlace): undefined {
  const fix = 'write a class, or { provide: Token, useClass | useValue | useFactory | useExisting: … }';
  here.add('TW_SCAN_PROVIDER_INVALID', { what, fix });
}
