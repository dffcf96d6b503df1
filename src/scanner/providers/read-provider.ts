import { soundOptions } from '../../errors/option-errors.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import { INJECTABLE_RULES, PROVIDER_RULES } from '../../metadata/option-rules.ts';
import type { Scope } from '../../metadata/options.ts';
import { nearestRecord } from '../../metadata/records.ts';
import { isClass, type Class, tokenName, type Token } from '../../shared/class-type.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { optionReport, reportUndefined, resolveReference } from '../check-options.ts';
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

/** Where an entry stands: `AppModule`, and `providers[2]`. */
interface ProviderPlace {
  readonly where: string;
  readonly place: string;
}

/** What one entry of `providers` or `overrides` says; undefined after reporting why it says nothing. */
export function readProvider(
  entry: unknown,
  at: ProviderPlace,
  problems: ProblemList,
): ProviderMeaning | undefined {
  if (entry === undefined) {
    reportUndefined(
      at.where,
      at.place,
      'break the import circle: move the class to a file of its own',
      problems,
    );
    return undefined;
  }
  if (isClass(entry)) {
    return { token: entry, recipe: { kind: 'class', type: entry }, scope: scopeOf(entry, problems) };
  }
  if (typeof entry !== 'object' || entry === null) {
    return reportInvalid(
      at,
      `holds ${describeValue(entry)} at ${at.place}, which is not a provider.`,
      problems,
    );
  }
  return readProviderObject(entry as Readonly<Record<string, unknown>>, at, problems);
}

/** The lifetime that a class asks for, its own or that of the nearest base class that says one. */
export function scopeOf(type: Class, problems: ProblemList): Scope {
  const record = nearestRecord(type, 'injectable');
  if (record === undefined) return 'singleton';
  const report = optionReport({ where: type.name, of: '@Injectable' });
  return soundOptions(record.options, INJECTABLE_RULES, report, problems).scope ?? 'singleton';
}

/** True for what can be a token. */
export function isToken(value: unknown): value is Token {
  return isClass(value) || (typeof value === 'string' && value !== '') || typeof value === 'symbol';
}

function readProviderObject(
  given: Readonly<Record<string, unknown>>,
  at: ProviderPlace,
  problems: ProblemList,
): ProviderMeaning | undefined {
  const report = optionReport({ where: at.where, of: `a provider (${at.place})` });
  const entry = soundOptions<Readonly<Record<string, unknown>>>(given, PROVIDER_RULES, report, problems);
  const token = resolveReference(entry['provide']);
  if (!isToken(token)) {
    return reportInvalid(
      at,
      `has a provider (${at.place}) whose \`provide\` is ${describeValue(token)}.`,
      problems,
    );
  }
  const named = RECIPES.filter((name) => Object.hasOwn(entry, name));
  const [name] = named;
  if (name === undefined || named.length > 1) {
    const found = name === undefined ? 'says nothing of how it is made' : `says ${named.join(' and ')}`;
    return reportInvalid(at, `has a provider of ${tokenName(token)} that ${found}.`, problems);
  }
  const recipe = readRecipe(name, entry);
  if (recipe === undefined) {
    return reportInvalid(
      at,
      `has a provider of ${tokenName(token)} whose ${name} is ${describeValue(entry[name])}.`,
      problems,
    );
  }
  return { token, recipe, scope: scopeOfObject(entry['scope'] as Scope | undefined, recipe, problems) };
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

function reportInvalid(at: ProviderPlace, what: string, problems: ProblemList): undefined {
  problems.add('TW_SCAN_PROVIDER_INVALID', {
    where: at.where,
    what,
    fix: 'write a class, or { provide: Token, useClass | useValue | useFactory | useExisting: … }',
  });
  return undefined;
}
