import {
  container as globalContainer,
  isClassProvider,
  isTokenProvider,
  isValueProvider,
  Lifecycle,
  type DependencyContainer,
} from 'tsyringe';
import { ProblemList } from '../errors/problem-list.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { constructorInjections, emittedParameters, type Delayed } from '../metadata/injections.ts';
import { hasClassRecord } from '../metadata/records.ts';
import {
  reportCopies,
  type OtherCopy,
  type RegisteredMaker,
  type Registration,
  type UserContainer,
} from '../scanner/providers/user-container.ts';
import { isClass, type Class, type Token } from '../shared/class-type.ts';
import { loadedCopies } from '../shared/loaded-copies.ts';

/** One registration, as a container keeps it (tsyringe 4.10, dependency-container). */
interface RawRegistration {
  readonly provider: unknown;
  readonly options: { readonly lifecycle: Lifecycle };
}

/** What is kept by tokens. To ask its methods whether there is something adds an empty list for the token, for good. */
interface Lists<Entry> {
  readonly _registryMap: ReadonlyMap<unknown, readonly Entry[]>;
}

/** What a container of tsyringe has besides its public methods; how something is registered is only there. */
interface ContainerInternals {
  readonly parent?: ContainerInternals;
  readonly _registry: Lists<RawRegistration>;
  readonly interceptors: Readonly<Record<'preResolution' | 'postResolution', Lists<unknown>>>;
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
    this.#internals = readInternals(container);
  }

  /**
   * The same object for the same container: applications after another compare what they have of it. A container of another
   * copy of tsyringe is reported.
   * @throws ToolwrightError for a container that is none of tsyringe, or of a version that keeps registrations otherwise
   */
  static of(
    container: DependencyContainer = globalContainer,
    problems: ProblemList = new ProblemList(),
  ): TsyringeContainer {
    const copy = container === globalContainer ? undefined : findCopyWith(container);
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
    const { instance, typeInfo } = containerFile;
    if (instance === globalContainer && typeof typeInfo?.get === 'function') return typeInfo.get(type);
    // Other files of tsyringe, of a bundler or another version, do not show what its decorators wrote; the compiler wrote
    // the types of a constructor because a decorator stands there
    if (constructorInjections(type).size === 0 && hasClassRecord(type)) return undefined;
    return emittedParameters(type);
  }

  findOtherCopy(token: unknown): OtherCopy | undefined {
    return findOtherCopy(token);
  }

  intercept<T>(token: unknown, resolution: 'Single' | 'All', make: () => T): T {
    const { preResolution, postResolution } = this.#internals.interceptors;
    if (entries(preResolution, token).length > 0)
      this.#internals.executePreResolutionInterceptor(token, resolution);
    const made = make();
    if (entries(postResolution, token).length > 0)
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
    for (let from: ContainerInternals | undefined = this.#internals; from; from = from.parent) {
      const registered = entries(from._registry, token);
      if (registered.length > 0) return registered;
    }
    return [];
  }

  #read(raw: RawRegistration, token: unknown): Registration {
    const known = this.#registrations.get(raw);
    if (known !== undefined) return known;
    const registration = Object.freeze({
      maker: readMaker(raw.provider as Provider),
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

/** What is read here is private: another version of tsyringe may keep it elsewhere. */
function readInternals(container: DependencyContainer): ContainerInternals {
  const internals = container as unknown as ContainerInternals;
  for (let from: ContainerInternals | undefined = internals; from; from = from.parent) {
    if (!isReadable(from)) throw unreadable();
  }
  return internals;
}

function isReadable(from: Partial<ContainerInternals>): boolean {
  const { _registry, interceptors } = from;
  const lists: readonly (Partial<Lists<unknown>> | undefined)[] = [
    _registry,
    interceptors?.preResolution,
    interceptors?.postResolution,
  ];
  const methods = [
    from.resolveRegistration,
    from.executePreResolutionInterceptor,
    from.executePostResolutionInterceptor,
  ];
  return (
    lists.every((list) => typeof list?._registryMap?.get === 'function') &&
    methods.every((method) => typeof method === 'function')
  );
}

function unreadable(): ToolwrightError {
  return new ToolwrightError('TW_CONTAINER_UNREADABLE', {
    where: 'the tsyringe container',
    what: 'does not show what is registered in it',
    why: 'it is not of tsyringe 4.10, and tsyringe has no public way to ask how something is registered',
    fix: 'npm install tsyringe@~4.10.0',
  });
}

function entries<Entry>({ _registryMap }: Lists<Entry>, token: unknown): readonly Entry[] {
  return _registryMap.get(token) ?? [];
}

const wrapped = new WeakMap<DependencyContainer, TsyringeContainer>();

function readMaker(provider: Provider): RegisteredMaker {
  if (isClassProvider(provider)) {
    const type: unknown = provider.useClass;
    return isClass(type) ? { kind: 'class', type } : { kind: 'token', token: type as Delayed };
  }
  if (isTokenProvider(provider)) return { kind: 'token', token: provider.useToken as Token | Delayed };
  return { kind: isValueProvider(provider) ? 'value' : 'factory' };
}

/** What a copy of tsyringe keeps in the file of its container. */
interface ContainerFile {
  readonly instance: DependencyContainer;
  readonly typeInfo: ReadonlyMap<unknown, readonly unknown[]>;
}

let containerFile: Partial<ContainerFile> = {};

/** Reads where tsyringe writes which classes have its decorators. Another version may have no such file. */
export async function loadContainerFile(): Promise<void> {
  containerFile = await import('tsyringe/dist/cjs/dependency-container.js').catch(() => ({}));
}

const CONTAINER_FILE = /^(.*[\\/]tsyringe)[\\/]dist[\\/]cjs[\\/]dependency-container\.js$/;

/** The copy of tsyringe that knows a token and is not the one that Toolwright asks. */
function findOtherCopy(token: unknown): OtherCopy | undefined {
  return named(
    ({ instance, typeInfo }) =>
      instance?.isRegistered(token as symbol) === true || typeInfo?.has(token) === true,
    ({ instance }) => instance?.isRegistered(token as symbol) === true,
  );
}

/** The copy of tsyringe that made a container, where it is not the one that Toolwright asks. */
function findCopyWith(container: DependencyContainer): OtherCopy | undefined {
  return named(({ instance }) => instance?.constructor === container.constructor);
}

function named(
  isMeant: (file: Partial<ContainerFile>) => boolean,
  isRegistered: (file: Partial<ContainerFile>) => boolean = () => false,
): OtherCopy | undefined {
  const copies = loadedCopies<ContainerFile>(CONTAINER_FILE);
  const own = copies.find(({ exports }) => exports.instance === globalContainer);
  const other = copies.find((copy) => copy !== own && isMeant(copy.exports));
  if (other === undefined) return undefined;
  return {
    own: own?.directory ?? 'toolwright',
    other: other.directory,
    isRegistered: isRegistered(other.exports),
  };
}
