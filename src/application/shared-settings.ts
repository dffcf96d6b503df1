import { builtin } from '../shared/platform.ts';
import type { ListenedNotifier } from '../call/notifier.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { AuthOptions } from '../app/auth-options.ts';
import type { Composition } from '../features/feature.ts';
import type { RuntimeFacet, StateSource } from '../runtime/runtime-facet.ts';
import { findDoors, findObserver, createStates } from '../runtime/feature-states.ts';
import { OpenWork } from '../runtime/open-work.ts';
import { createPagination } from '../runtime/lists/pagination.ts';
import { ONCE } from '../runtime/replay/answer-once.ts';
import { createReplayEngine } from '../runtime/replay/replay-engine.ts';
import { Authorization, type AuthorizationSettings } from '../runtime/requirements/authorization.ts';
import type { ServiceSettings } from '../runtime/routes/route.ts';
import type { McpService } from '../runtime/service.ts';
import type { Store } from '../runtime/store/store.ts';
import { StoreClock } from '../runtime/store/store-clock.ts';
import type { ScannedApplication } from '../scanner/scan-application.ts';
import { observeStore } from '../kernel/call/telemetry.ts';
import { isOpener, type BackplanePorts } from './backplane.ts';
import { trustsEverybody } from './host.ts';
import type { ApplicationSettings } from './application-settings.ts';

interface ScannedSettings {
  readonly settings: ApplicationSettings;
  readonly ports: BackplanePorts;
  readonly scanned: ScannedApplication;
  readonly isLazy: boolean;
  readonly notifier: ListenedNotifier;
}

/** The application whose place is taken. */
interface Predecessor {
  readonly settings: ApplicationSettings;
  readonly service: McpService;
}

/**
 * The settings that all services of the application share. Calls that wait for an answer are known to the
 * application that takes the place of the one where they began, unless it keeps them in another way.
 */
export function sharedSettings(
  { settings, ports, scanned, isLazy, notifier }: ScannedSettings,
  { features, stages }: Composition,
  resolver: InstanceResolver,
  predecessor: Predecessor | undefined,
): ServiceSettings {
  const keep = keeper(settings, predecessor);
  const { name: server, secrets, questionTtl: lifetime, replay: replays, logger } = settings;
  const { version, pageSize, cache, telemetry, hidden, hashSubject, filter } = settings;
  const storeFor = observedStores(settings, ports);
  const once = storeFor(ONCE);
  const clock = keep('clock', [], () => new StoreClock(once, logger));
  settings.resourceServer?.keepIn(once);
  const own = { server, version, secrets, logger, hidden, hashSubject, telemetry };
  const notify: StateSource['notify'] = (change) => notifier.tell(change);
  const source = { ...own, options: settings, scanned, filter, ports, storeFor, clock, isLazy, notify };
  const states = createStates(features, source, stateKeeper(settings, predecessor));
  return Object.freeze({
    stages,
    pagination: pageSize === undefined ? undefined : createPagination(pageSize, { server, secrets }),
    cache,
    replayEngine: keep('replayEngine', ['name', 'secrets', 'questionTtl', 'replay'], () =>
      createReplayEngine({ server, secrets, store: once, lifetime, replays, logger, now: () => clock.now() }),
    ),
    features,
    states,
    clock,
    open: keep('open', [], () => new OpenWork()),
    surfaces: settings.surfaces,
    auth: settings.resourceServer,
    authorization: createAuthorization(settings, resolver),
    telemetry,
    hidden,
    hashSubject,
    observer: findObserver({ features, states }),
    doors: findDoors({ features, states }),
  });
}

/** Asks the store for its time, unless nothing is opened. A clock that is far from it is logged; nothing waits for that. */
export function compareClock({ clock }: ServiceSettings, isLazy: boolean): void {
  if (!isLazy) void clock.known();
}

/** The store for each collection, observed under its name. */
function observedStores(
  { telemetry }: ApplicationSettings,
  { store }: BackplanePorts,
): StateSource['storeFor'] {
  const observed = new Map<string, Store>();
  return (collection) => {
    if (store === undefined) return undefined;
    const known = observed.get(collection) ?? observeStore(store, collection, telemetry);
    observed.set(collection, known);
    return known;
  };
}

type Kept = 'open' | 'clock' | 'replayEngine';

type Keep = <Name extends Kept>(
  part: Name,
  names: readonly (keyof ApplicationSettings)[],
  make: () => ServiceSettings[Name],
) => ServiceSettings[Name];

/** Keeps a part of the former application where the options that it is made of are the same. */
function keeper(settings: ApplicationSettings, predecessor: Predecessor | undefined): Keep {
  const isSame = comparison(settings, predecessor);
  const before = predecessor?.service.settings;
  return (part, names, make) => (before !== undefined && isSame(names) ? before[part] : make());
}

/** Keeps states of features likewise: one that the former application had no use for is made. */
function stateKeeper(settings: ApplicationSettings, predecessor: Predecessor | undefined) {
  const isSame = comparison(settings, predecessor);
  const before = predecessor?.service.settings.states ?? {};
  return ({ name, madeOf }: RuntimeFacet, make: () => unknown): unknown => {
    const isKept = madeOf !== undefined && isSame(madeOf as readonly (keyof ApplicationSettings)[]);
    return (isKept ? before[name] : undefined) ?? make();
  };
}

/** Whether options have the values that they had in the former application. */
function comparison(
  settings: ApplicationSettings,
  predecessor: Predecessor | undefined,
): (names: readonly (keyof ApplicationSettings)[]) => boolean {
  // With a backplane, all that is kept is in its stores, and the former application closes its own connections to them
  const former = isOpener(settings.backplane) ? undefined : predecessor?.settings;
  // Only a host that replaces applications has two of them, and it runs in Node
  const isEqual = builtin('node:util')?.isDeepStrictEqual ?? Object.is;
  return (names) =>
    former !== undefined &&
    [...names, 'backplane' as const].every((name) => isEqual(former[name], settings[name]));
}

function createAuthorization(
  { logger, auth = false, resourceServer, telemetry }: ApplicationSettings,
  resolver: InstanceResolver,
): Authorization {
  const options = auth === false ? OPEN : auth;
  return new Authorization({
    ...{ logger, telemetry },
    resolver,
    ...options,
    resourceServer,
    byDefault: options.default ?? 'authenticated',
    trusts: trustedCallers(options.local),
    implies: options.scopes?.implies,
  });
}

function trustedCallers(local: AuthOptions['local']): AuthorizationSettings['trusts'] {
  if (trustsEverybody(local)) return 'everybody';
  return local === 'trusted' ? 'local' : 'nobody';
}

const OPEN: Partial<AuthOptions> = { default: 'public' };
