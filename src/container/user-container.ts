import {
  container as globalContainer,
  isClassProvider,
  isTokenProvider,
  isValueProvider,
  Lifecycle,
  type DependencyContainer,
} from 'tsyringe';
import { instance, typeInfo } from 'tsyringe/dist/cjs/dependency-container.js';
import { ProblemList } from '../errors/problem-list.ts';
import { constructorInjections } from '../metadata/injections.ts';
import { hasClassRecord } from '../metadata/records.ts';
import { reportCopies } from '../scanner/providers/report-copies.ts';
import type {
  OtherCopy,
  RegisteredMaker,
  Registration,
  UserContainer,
} from '../scanner/providers/user-container.ts';
import type { Class } from '../shared/class-type.ts';
import { findCopyOf, findOtherCopy } from './tsyringe-copies.ts';

/** One registration, as a container keeps it (tsyringe 4.10, dependency-container). */
interface RawRegistration {
  readonly provider: unknown;
  readonly options: { readonly lifecycle: Lifecycle };
}

/** What a container of tsyringe has besides its public methods; how something is registered, it tells nobody else. */
interface ContainerInternals {
  getAllRegistrations(token: unknown): readonly RawRegistration[] | null;
  resolveRegistration(registration: RawRegistration, context: object): unknown;
  executePreResolutionInterceptor(token: unknown, resolution: 'Single' | 'All'): void;
  executePostResolutionInterceptor(token: unknown, result: unknown, resolution: 'Single' | 'All'): void;
}

type Provider = Parameters<typeof isClassProvider>[0];

const LIFECYCLES: Readonly<Record<Lifecycle, Registration['lifecycle']>> = {
  [Lifecycle.Singleton]: 'singleton',
  [Lifecycle.ContainerScoped]: 'container',
  [Lifecycle.ResolutionScoped]: 'resolution',
  [Lifecycle.Transient]: 'transient',
};

/** The user's tsyringe container, read and never written. */
export class TsyringeContainer implements UserContainer {
  readonly #container: DependencyContainer;
  readonly #internals: ContainerInternals;
  readonly #given = new WeakSet();
  readonly #registrations = new WeakMap<RawRegistration, Registration>();

  private constructor(container: DependencyContainer) {
    this.#container = container;
    this.#internals = container as unknown as ContainerInternals;
  }

  /**
   * The same object for the same container: applications after another compare what they have of it. A container of another
   * copy of tsyringe is reported.
   */
  static of(
    container: DependencyContainer = globalContainer,
    problems: ProblemList = new ProblemList(),
  ): TsyringeContainer {
    const copy = findCopyOf(container);
    if (copy !== undefined)
      reportCopies(
        'is a container of another copy of tsyringe.',
        copy,
        problems.at('the option `container`'),
      );
    const known = wrapped.get(container) ?? new TsyringeContainer(container);
    wrapped.set(container, known);
    return known;
  }

  registrations(token: unknown): readonly Registration[] {
    return this.#raw(token).map((raw) => this.#read(raw, token));
  }

  parameters(type: Class): readonly unknown[] | undefined {
    if (instance === globalContainer) return typeInfo.get(type);
    // A bundler took other files of tsyringe, which show nobody what its decorators wrote; the compiler wrote the types of
    // a constructor because a decorator stands there
    if (constructorInjections(type).size === 0 && hasClassRecord(type)) return undefined;
    return Reflect.getMetadata('design:paramtypes', type) as readonly unknown[] | undefined;
  }

  findOtherCopy(token: unknown): OtherCopy | undefined {
    return findOtherCopy(token);
  }

  intercept<T>(token: unknown, resolution: 'Single' | 'All', make: () => T): T {
    this.#internals.executePreResolutionInterceptor(token, resolution);
    const made = make();
    this.#internals.executePostResolutionInterceptor(token, made, resolution);
    return made;
  }

  /** Whether the container gave this instance, so that it takes care of it. */
  gave(instance: unknown): boolean {
    return typeof instance === 'object' && instance !== null && this.#given.has(instance);
  }

  /** A container in which the providers of an application are registered. */
  createChild(): DependencyContainer {
    return this.#container.createChildContainer();
  }

  #raw(token: unknown): readonly RawRegistration[] {
    if (!this.#container.isRegistered(token as symbol, true)) return [];
    return this.#internals.getAllRegistrations(token) ?? [];
  }

  #read(raw: RawRegistration, token: unknown): Registration {
    const known = this.#registrations.get(raw);
    if (known !== undefined) return known;
    const registration = Object.freeze({
      maker: makerOf(raw.provider as Provider),
      lifecycle: LIFECYCLES[raw.options.lifecycle],
      resolve: () => this.#resolve(raw, token),
    });
    this.#registrations.set(raw, registration);
    return registration;
  }

  #resolve(raw: RawRegistration, token: unknown): unknown {
    const isLast = this.#raw(token).at(-1) === raw;
    const given = isLast
      ? this.#container.resolve<unknown>(token as symbol)
      : this.#internals.resolveRegistration(raw, { scopedResolutions: new Map() });
    if (typeof given === 'object' && given !== null) this.#given.add(given);
    return given;
  }
}

const wrapped = new WeakMap<DependencyContainer, TsyringeContainer>();

function makerOf(provider: Provider): RegisteredMaker {
  if (isClassProvider(provider)) return { kind: 'class', type: provider.useClass };
  if (isTokenProvider(provider)) return { kind: 'token', token: provider.useToken };
  return { kind: isValueProvider(provider) ? 'value' : 'factory' };
}
