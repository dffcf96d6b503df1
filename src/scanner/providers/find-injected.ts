import type { ProblemList } from '../../errors/problem-list.ts';
import { isDelayed, type Delayed, type Injection } from '../../metadata/injections.ts';
import { reportUndefined, resolveReference } from '../check-options.ts';
import type { ModuleNode } from '../modules/scan-modules.ts';
import { isToken, type Edge, type ProviderDraft } from './read-provider.ts';
import { findProvider, type TokenSpace } from './token-lookup.ts';

/** The parameter that has a decorator of tsyringe, and the module that requests what it says. */
interface InjectionPlace {
  readonly where: string;
  readonly home: ModuleNode;
}

interface Transform {
  transform(value: unknown, ...args: readonly unknown[]): unknown;
}

/** The provider of what `@inject`, `@injectAll` or a form of them with a transform asks for. */
export function findInjected(
  injection: Injection,
  at: InjectionPlace,
  space: TokenSpace,
  problems: ProblemList,
): ProviderDraft | undefined {
  const { transform, isMultiple, source } = injection;
  const given = isMultiple
    ? findAll(injection, at, space, problems)
    : findOne(injection, at, space, problems);
  if (transform === undefined) return given;
  const made = findOne({ token: transform.token }, at, space, problems);
  return space.user.compose(`the transformed value of ${at.where}`, {
    parts: [made, given].map((to): Edge => ({ where: at.where, to })),
    compose: ([readTransform, readValue]) =>
      (readTransform?.() as Transform).transform(readValue?.(), ...transform.args),
    source,
  });
}

/** The provider of a token, or of what `delay()` gave. */
export function findOne(
  { token, isOptional = false }: { readonly token: unknown; readonly isOptional?: boolean },
  at: InjectionPlace,
  space: TokenSpace,
  problems: ProblemList,
): ProviderDraft | undefined {
  if (isDelayed(token)) return findDelayed(token, at, space, problems);
  if (isToken(token)) return findProvider({ token, isOptional, ...at }, space, problems);
  reportUndefined('@inject(undefined)', '@inject(delay(() => TheClass))', problems.at(at.where));
  return undefined;
}

/** What stands for the instance until it is first used. */
function findDelayed(
  delayed: Delayed,
  at: InjectionPlace,
  space: TokenSpace,
  problems: ProblemList,
): ProviderDraft | undefined {
  const token = resolveReference(() => delayed.wrap());
  if (!isToken(token)) {
    reportUndefined('delay(() => undefined)', 'delay(() => TheClass)', problems.at(at.where));
    return undefined;
  }
  const to = findProvider({ token, ...at }, space, problems);
  if (to === undefined) return undefined;
  return space.user.compose(`${to.where}, delayed`, {
    parts: [{ where: at.where, to, isDelayed: true }],
    compose: ([read]) => delayed.createProxy(() => read?.()),
    source: delayed,
  });
}

/** Everything that is registered for the token. A module has one provider of a token, and it counts before others. */
function findAll(
  { token, isOptional, source }: Injection,
  at: InjectionPlace,
  space: TokenSpace,
  problems: ProblemList,
): ProviderDraft {
  const isSeen = isToken(token) && space.scopes.get(at.home)?.visible.has(token) === true;
  const registered = isToken(token) && !isSeen ? space.user.findAll(token) : [];
  const one = registered.length > 0 ? undefined : findOne({ token, isOptional }, at, space, problems);
  const all = one === undefined ? registered : [one];
  return space.user.compose(`all that ${at.where} is given`, {
    parts: all.map((to): Edge => ({ where: at.where, to })),
    compose: (reads) => space.user.intercept(token, () => reads.map((read) => read())),
    source,
  });
}
