import type { ProblemList } from '../../errors/problem-list.ts';
import { isDelayed, readInjection, type Injection } from '../../metadata/injections.ts';
import { ownRecords } from '../../metadata/records.ts';
import { isClass, tokenName, type Class, type Token } from '../../shared/class-type.ts';
import { resolveReference } from '../check-options.ts';
import { isToken } from './read-provider.ts';
import { findHome, type TokenSpace } from './token-lookup.ts';
import type { Registration, UserContainer } from './user-container.ts';

/** A parameter of a class that the container makes. */
interface Need {
  readonly where: string;
  readonly type: Class;
  /** The classes that lead here; empty where one of them is made later. */
  readonly path: readonly Class[];
}

type Wanted = Pick<Injection, 'token'> & Partial<Pick<Injection, 'isMultiple' | 'isOptional'>>;

/**
 * Checks what the user's container makes by itself. It sees no module, so it has to know all that its classes need: for what
 * it does not know it would throw, or make a second instance of what a module has.
 */
export class UserGraph {
  readonly #container: UserContainer;
  readonly #space: TokenSpace;
  readonly #problems: ProblemList;
  readonly #checked = new Set<Class>();

  constructor(container: UserContainer, space: TokenSpace, problems: ProblemList) {
    this.#container = container;
    this.#space = space;
    this.#problems = problems;
  }

  check({ maker }: Registration, need?: Need): void {
    if (maker.kind === 'class') this.#checkClass(maker.type, need);
    if (maker.kind !== 'token') return;
    if (need !== undefined) this.#checkToken({ token: maker.token }, need);
    else if (isToken(maker.token)) this.#checkAlias(maker.token);
  }

  #checkAlias(token: Token): void {
    const registration = this.#container.registrations(token).at(-1);
    if (registration !== undefined) this.check(registration);
    else if (isClass(token)) this.#checkClass(token);
  }

  #checkClass(type: Class, need?: Need): void {
    const path = need?.path ?? [];
    if (path.includes(type)) this.#reportRing([...path.slice(path.indexOf(type)), type]);
    if (this.#checked.has(type)) return;
    this.#checked.add(type);
    const parameters = this.#container.parameters(type) ?? [];
    if (parameters.length === 0 && type.length > 0) this.#reportUntyped(type, need);
    for (const [index, parameter] of parameters.entries()) {
      const at = { where: `${type.name} constructor #${String(index + 1)}`, type, path: [...path, type] };
      if (hasOwnInject(type, index)) this.#reportInject(at);
      const { transform, ...injection } = readInjection(parameter);
      if (transform !== undefined) this.#checkToken(transform, at);
      this.#checkToken(injection, at);
    }
  }

  #checkToken({ token, isMultiple = false, isOptional = false }: Wanted, need: Need): void {
    if (isDelayed(token)) {
      this.#checkToken({ token: resolveReference(() => token.wrap()) }, { ...need, path: [] });
      return;
    }
    if (!isToken(token)) {
      this.#reportUndefined(need);
      return;
    }
    const registrations = this.#container.registrations(token);
    const giver = this.#giver(token, registrations.length > 0);
    if (giver !== undefined) this.#reportBoundary(token, giver, need);
    else if (registrations.length === 0 && isClass(token)) this.#checkClass(token, need);
    else if (registrations.length === 0 && !isOptional) this.#reportUnknown(token, need);
    for (const registration of isMultiple ? registrations : registrations.slice(-1)) {
      this.check(registration, need);
    }
  }

  /** Who has the token, while the container has nothing of it, or something else than the application. */
  #giver(token: Token, isRegistered: boolean): string | undefined {
    if (this.#space.user.overrides.has(token)) return 'an override';
    if (isRegistered) return undefined;
    const home = findHome(token, this.#space);
    if (home !== undefined) return home.name;
    const [root] = this.#space.modules.slice(-1);
    const seen = root && this.#space.scopes.get(root)?.visible.get(token);
    return seen !== undefined && seen.home === undefined ? 'Toolwright' : undefined;
  }

  #reportBoundary(token: Token, giver: string, { where, type }: Need): void {
    const name = tokenName(token);
    const entry = `{ provide: ${type.name}, useClass: ${type.name} }`;
    this.#problems.at(where).add('TW_SCAN_CONTAINER_BOUNDARY', {
      what: `needs ${name} of ${giver}, but your tsyringe container makes ${type.name}, and it sees nothing of the application.`,
      why: `${type.name} is registered there, as @singleton() does it; ${isClass(token) ? `the container would make another ${name}` : 'the container has nothing else under that token'}.`,
      fix: `let a module make it: @Module({ providers: [${entry}] }); or register ${name} in the container`,
    });
  }

  #reportUnknown(token: Token, { where, type }: Need): void {
    const name = tokenName(token);
    this.#problems.at(where).add('TW_SCAN_DEPENDENCY_UNKNOWN', {
      what: `needs ${name}, which is not registered in your tsyringe container.`,
      why: `${type.name} is made by that container; no module provides ${name} either.`,
      fix: `container.register(${name}, { useValue: … }), or @inject(${name}, { isOptional: true }) where it may be missing`,
    });
  }

  #reportUntyped(type: Class, need: Need | undefined): void {
    this.#problems.at(need?.where ?? type.name).add('TW_SCAN_DEPENDENCY_UNTYPED', {
      what: `cannot be ${need === undefined ? 'made' : 'injected'}: tsyringe does not know what ${type.name} needs.`,
      why: `${type.name} takes parameters and has no @injectable(), or the compiler wrote no types for it.`,
      fix:
        need === undefined
          ? `@injectable() on ${type.name}`
          : `@inject(Token), or @injectable() on ${type.name}`,
    });
  }

  #reportUndefined({ where }: Need): void {
    this.#problems.at(where).add('TW_SCAN_DEPENDENCY_UNTYPED', {
      what: 'cannot be injected: tsyringe does not know its class.',
      why: 'its class did not exist yet (files import each other in a circle), or the compiler wrote no type for it.',
      fix: '@inject(delay(() => TheClass)), or @inject(Token)',
    });
  }

  #reportInject({ where, type }: Need): void {
    this.#problems.at(where).add('TW_SCAN_CONTAINER_BOUNDARY', {
      what: `has @Inject of Toolwright, but your tsyringe container makes ${type.name}, and it does not read that.`,
      fix: `@inject(Token) of tsyringe, or @Module({ providers: [{ provide: ${type.name}, useClass: ${type.name} }] })`,
    });
  }

  #reportRing(ring: readonly Class[]): void {
    const names = ring.map(({ name }) => name);
    this.#problems.at(names[0] ?? '').add('TW_SCAN_PROVIDER_CYCLE', {
      what: `needs itself: ${names.join(' → ')}.`,
      why: 'your tsyringe container makes them, each before the other one.',
      fix: '@inject(delay(() => TheClass)) on the parameter of one of them',
    });
  }
}

function hasOwnInject(type: Class, index: number): boolean {
  return ownRecords(type, 'parameter').some(
    (record) => record.member === undefined && record.index === index && record.source.kind !== 'tsyringe',
  );
}
