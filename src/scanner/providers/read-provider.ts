import type { ProblemList, ProblemPlace } from '../../errors/problem-list.ts';
import { INJECTABLE_RULES, PROVIDER_RULES } from '../../metadata/option-rules.ts';
import type { Scope } from '../../metadata/options.ts';
import { nearestRecord } from '../../metadata/records.ts';
import { isClass, type Class, tokenName, type Token } from '../../shared/class-type.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { readOptions, reportUndefined, resolveReference } from '../check-options.ts';
import type { ModuleNode } from '../modules/scan-modules.ts';
import type { ProviderKey } from './scanned-provider.ts';

/** A provider whose dependencies are not looked up yet. */
export interface ProviderDraft {
  readonly key: ProviderKey;
  readonly token: Token;
  /** The name of the class, or the token. */
  readonly where: string;
  readonly scope: Scope;
  readonly recipe: DraftRecipe;
  /** The module whose view decides what its dependencies are; undefined for what the framework provides. */
  readonly home: ModuleNode | undefined;
}

export type DraftRecipe =
  | { readonly kind: 'class'; readonly type: Class }
  | { readonly kind: 'value'; readonly value: unknown }
  | {
      readonly kind: 'factory';
      readonly create: (...dependencies: never[]) => unknown;
      readonly inject: readonly unknown[];
    }
  | { readonly kind: 'existing'; readonly token: Token }
  | { readonly kind: 'context' };

/** What a provider entry says, independent of a module. */
export interface ProviderMeaning {
  readonly token: Token;
  readonly recipe: DraftRecipe;
  readonly scope: Scope;
}

const RECIPES = ['useClass', 'useValue', 'useFactory', 'useExisting'] as const;

/** How a class is named that does not exist yet. */
export const MOVE = 'break the import circle: move the class to a file of its own';

/** What one entry of `providers` or `overrides` says; undefined after reporting why it says nothing. */
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

/** The lifetime that a class asks for, its own or that of the nearest base class that says one. */
export function scopeOf(type: Class, problems: ProblemList): Scope {
  const record = nearestRecord(type, 'injectable');
  if (record === undefined) return 'singleton';
  const { options } = record;
  return readOptions(options, INJECTABLE_RULES, '@Injectable', problems.at(type.name)).scope ?? 'singleton';
}

/** True for what can be a token. */
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
