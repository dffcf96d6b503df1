import type { Scope } from '../../metadata/module-options.ts';
import { nearestRecord } from '../../metadata/records.ts';
import { isClass, tokenName, type Class, type Token } from '../../shared/class-type.ts';
import type { DraftRecipe, ProviderDraft, ProviderMeaning } from './read-provider.ts';
import type { ProviderKey } from './scanned-provider.ts';
import type { Registration, UserContainer } from './user-container.ts';

type Overrides = ReadonlyMap<Token, Omit<ProviderMeaning, 'token'>>;

/** A lifetime of tsyringe in the words of Toolwright: the application is a container, and a call is a resolution. */
const SCOPES: Readonly<Record<Registration['lifecycle'], Scope>> = {
  singleton: 'singleton',
  container: 'singleton',
  resolution: 'request',
  transient: 'transient',
};

/**
 * The providers that no module declares and the user's tsyringe container knows. They are drafted when something asks for
 * them, once for the application, and see what the root module sees.
 */
export class UserProviders {
  /** Grows while dependencies are looked up. */
  readonly created: ProviderDraft[] = [];
  readonly container: UserContainer | undefined;
  readonly overrides: Overrides;
  readonly #drafts = new Map<Registration | Class, ProviderDraft>();

  constructor(container: UserContainer | undefined, overrides: Overrides) {
    this.container = container;
    this.overrides = overrides;
  }

  /** What the container has registered for a single injection of the token. */
  findRegistered(token: Token): ProviderDraft | undefined {
    const registration = this.container?.registrations(token).at(-1);
    return registration && this.#drafted(registration, token, token);
  }

  /** A class that is not registered, but has `@injectable()` of tsyringe: a new one for each injection. */
  findInjectable(token: Token): ProviderDraft | undefined {
    if (!isClass(token) || this.container?.parameters(token) === undefined) return undefined;
    const recipe = { kind: 'class', type: token } as const;
    return this.#add(token, { token, recipe, scope: ownScope(token) ?? 'transient' });
  }

  /** All that the container has registered for the token. */
  findAll(token: Token): readonly ProviderDraft[] {
    const registrations = this.container?.registrations(token) ?? [];
    return registrations.map((each, index) => {
      const isLast = index === registrations.length - 1;
      return this.#drafted(each, token, isLast ? token : Symbol(`${tokenName(token)} #${String(index + 1)}`));
    });
  }

  /** A provider that hands on what others give. */
  compose(
    where: string,
    recipe: Omit<Extract<DraftRecipe, { readonly kind: 'composed' }>, 'kind'>,
  ): ProviderDraft {
    const key = Symbol(where);
    const meaning = { token: key, recipe: { kind: 'composed', ...recipe }, scope: 'transient' } as const;
    return this.#create(key, where, meaning);
  }

  /** Makes all that is registered for a token, between the interceptors that the container has for it. */
  intercept<T>(token: unknown, make: () => T): T {
    return this.container === undefined ? make() : this.container.intercept(token, 'All', make);
  }

  #drafted(registration: Registration, token: Token, name: Token): ProviderDraft {
    return this.#add(registration, { ...meaningOf(registration, token), token: name });
  }

  #add(source: Registration | Class, meaning: ProviderMeaning): ProviderDraft {
    const known = this.#drafts.get(source);
    if (known !== undefined) return known;
    const where = meaning.recipe.kind === 'class' ? meaning.recipe.type.name : tokenName(meaning.token);
    const override = this.overrides.get(meaning.token);
    const draft = this.#create(Symbol(`${where} of tsyringe`), where, { ...meaning, ...override });
    this.#drafts.set(source, draft);
    return draft;
  }

  #create(key: ProviderKey, where: string, meaning: ProviderMeaning): ProviderDraft {
    const draft = Object.freeze({ key, where, home: undefined, isOfUser: true, ...meaning });
    this.created.push(draft);
    return draft;
  }
}

/** Whether the container has something to give for the token. */
export function knows(container: UserContainer | undefined, token: Token): boolean {
  if (container === undefined) return false;
  return (
    container.registrations(token).length > 0 || (isClass(token) && container.parameters(token) !== undefined)
  );
}

/**
 * What a class listed in a module means if the container has registered it: that registration, unless `@Injectable` names
 * a scope.
 */
export function registeredMeaning(
  type: Class,
  container: UserContainer | undefined,
): ProviderMeaning | undefined {
  const registration = container?.registrations(type).at(-1);
  if (registration === undefined || ownScope(type) !== undefined) return undefined;
  return meaningOf(registration, type);
}

/** The container gives what it keeps and what its factories make; other instances are made like those of any provider. */
function meaningOf(registration: Registration, token: Token): ProviderMeaning {
  const { maker, lifecycle } = registration;
  const scope = maker.kind === 'value' ? 'singleton' : SCOPES[lifecycle];
  if (maker.kind === 'class' && lifecycle !== 'singleton')
    return { token, recipe: maker, scope: ownScope(maker.type) ?? scope };
  if (maker.kind === 'token' && lifecycle !== 'singleton')
    return { token, recipe: { kind: 'existing', token: maker.token }, scope: 'singleton' };
  const type = maker.kind === 'class' ? maker.type : undefined;
  return { token, recipe: { kind: 'registered', registration, type }, scope };
}

function ownScope(type: Class): Scope | undefined {
  return nearestRecord(type, 'injectable')?.options.scope;
}
