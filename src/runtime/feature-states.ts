import type { ToolDefinition } from '../compile/tools/compiled-tool.ts';
import type { WireResource } from '../converters/wire.ts';
import type { HttpDoor } from '../call/http-door.ts';
import type { Call } from '../kernel/call/call.ts';
import type { ContextMembers, States } from '../kernel/call/states.ts';
import type { MaybePromise } from '../shared/maybe-promise.ts';
import { thenMaybe } from '../shared/maybe-promise.ts';
import type { OwnedStore } from '../shared/owners/owned-key.ts';
import type { OwnIssuer } from '../metadata/token-verifier.ts';
import type {
  ApplicationChange,
  BackgroundWork,
  FeatureMethod,
  OptionGroups,
  QueueWork,
  RemoteServer,
  Removal,
  RuntimeFacet,
  SeenTools,
  ServedExtension,
  StateSource,
  TellFeatures,
} from './runtime-facet.ts';
import type { RequestObserver } from './logging/log-records.ts';
import type { PartName } from './routes/service-parts.ts';

/** The features of an application with what they keep. */
interface FeatureStates {
  readonly features: readonly RuntimeFacet[];
  readonly states: States;
}

/**
 * The states that an application wants.
 * @param keep gives the state of the former application where the options are equal, and else makes one
 */
export function createStates(
  features: readonly RuntimeFacet[],
  given: Omit<StateSource, 'tell'>,
  keep: (feature: RuntimeFacet, make: () => unknown) => unknown = (_, make) => make(),
): States {
  const states: Record<string, unknown> = {};
  const tell: TellFeatures = (name, event) => {
    for (const feature of features) feature.on?.[name]?.(event, states[feature.name] as never);
  };
  const source: StateSource = { ...given, tell };
  for (const feature of features) {
    if (feature.state === undefined || feature.wanted?.(source) === false) continue;
    states[feature.name] = keep(feature, () => feature.state?.(source));
  }
  return Object.freeze({ ...states, members: joinMembers(features, states) });
}

function joinMembers(
  features: readonly RuntimeFacet[],
  states: Readonly<Record<string, unknown>>,
): ContextMembers {
  return Object.freeze(
    Object.assign({}, ...features.map((feature) => feature.members?.(states[feature.name] as never) ?? {})),
  ) as ContextMembers;
}

/** Whether any feature has something in a part of the service. */
export function isOffered(part: PartName, features: readonly RuntimeFacet[], states: States): boolean {
  return features.some((feature) => feature.offers?.(states[feature.name] as never).includes(part) === true);
}

/** The resource that one of the features has at the URI of a call; undefined where none has. */
export function readFromFeatures(
  call: Call,
  { features, states }: FeatureStates,
  tools: SeenTools,
  next = 0,
): MaybePromise<object | undefined> {
  const feature = features[next];
  if (feature === undefined) return undefined;
  const others = (): MaybePromise<object | undefined> =>
    readFromFeatures(call, { features, states }, tools, next + 1);
  const read = feature.read?.(call, states[feature.name] as never, tools);
  return read === undefined ? others() : thenMaybe(read, (found) => found ?? others());
}

/** The resources that the client of a call is listed, a list for each feature that has some. */
export function listFromFeatures(
  call: Call,
  { features, states }: FeatureStates,
  tools: SeenTools,
): readonly (readonly WireResource[])[] {
  return features.flatMap((feature) => {
    const list = feature.resources?.(call, states[feature.name] as never, tools) ?? [];
    return list.length === 0 ? [] : [list];
  });
}

/** The resources of all features, those that some callers are not listed included. */
export function everyResource({ features, states }: FeatureStates): readonly unknown[] {
  return features.flatMap((feature) => feature.everyResource?.(states[feature.name] as never) ?? []);
}

/** The other servers whose entries stand beside those of the application. */
export function findRemoteServers({ features, states }: FeatureStates): readonly RemoteServer[] {
  return features.flatMap((feature) => feature.remote?.(states[feature.name] as never) ?? []);
}

/** A list of tools as the client of a call is listed it. */
export function fitTools(
  list: readonly ToolDefinition[],
  call: Call,
  { features, states }: FeatureStates,
): readonly ToolDefinition[] {
  return features.reduce(
    (fitted, feature) => feature.fitTools?.(fitted, call, states[feature.name] as never) ?? fitted,
    list,
  );
}

/** What issues tokens in the application itself; undefined where nothing does. */
export function findIssuer(
  features: readonly RuntimeFacet[],
  options: OptionGroups,
  resource: () => string,
): OwnIssuer | undefined {
  for (const feature of features) {
    const issuer = feature.issuer?.(options, resource);
    if (issuer !== undefined) return issuer;
  }
  return undefined;
}

/** What observes the requests of an application; undefined where nothing does. */
export function findObserver({ features, states }: FeatureStates): RequestObserver | undefined {
  for (const feature of features) {
    const observer = feature.observer?.(states[feature.name] as never);
    if (observer !== undefined) return observer;
  }
  return undefined;
}

/** What answers beside the endpoint. */
export function findDoors({ features, states }: FeatureStates): readonly HttpDoor[] {
  return features.flatMap((feature) => feature.door?.(states[feature.name] as never) ?? []);
}

/** The methods of the protocol that features answer. */
export function featureMethods({ features, states }: FeatureStates): ReadonlyMap<string, FeatureMethod> {
  return new Map(
    features.flatMap((feature) => Object.entries(feature.methods?.(states[feature.name] as never) ?? {})),
  );
}

/** The extensions of the protocol that features serve, by their identifiers. */
export function findExtensions({ features, states }: FeatureStates): ReadonlyMap<string, ServedExtension> {
  return new Map(
    features.flatMap((feature) => Object.entries(feature.extensions?.(states[feature.name] as never) ?? {})),
  );
}

/** What a server declares of its extensions, as a member of its capabilities; nothing where it has none. */
export function declareExtensions(
  settings: FeatureStates,
  others: Readonly<Record<string, object>> = {},
): { readonly extensions?: Readonly<Record<string, object>> } {
  const own = [...findExtensions(settings)].map(([name, extension]) => [name, extension.settings] as const);
  const extensions = { ...others, ...Object.fromEntries(own) };
  return Object.keys(extensions).length === 0 ? {} : { extensions };
}

/** The methods of extensions. */
export function extensionMethods(settings: FeatureStates): ReadonlyMap<string, ExtensionMethod> {
  return new Map([...findExtensions(settings).values()].flatMap(({ methods }) => Object.entries(methods)));
}

type ExtensionMethod = ServedExtension['methods'][string];

/** What works on queues; undefined where nothing does. */
export function findQueueWork({ features, states }: FeatureStates): QueueWork | undefined {
  for (const feature of features) {
    const work = feature.queueWork?.(states[feature.name] as never);
    if (work !== undefined) return work;
  }
  return undefined;
}

/** What features have under way beside requests, by the names of the features. */
export function backgroundWork({ features, states }: FeatureStates): ReadonlyMap<string, BackgroundWork> {
  const found = new Map<string, BackgroundWork>();
  for (const feature of features) {
    const work = feature.background?.(states[feature.name] as never);
    if (work !== undefined) found.set(feature.name, work);
  }
  return found;
}

/** The work that is not that of the application before, which may go on by itself. */
export function startedWork(
  settings: FeatureStates,
  before: FeatureStates | undefined,
): ReadonlyMap<string, BackgroundWork> {
  const former = before && backgroundWork(before);
  return new Map([...backgroundWork(settings)].filter(([name, work]) => former?.get(name) !== work));
}

/** Starts what has to be there before the application serves. */
export async function startStates({ features, states }: FeatureStates): Promise<void> {
  for (const feature of features) await feature.start?.(states[feature.name] as never);
}

/** The stores of each kind, by the names that `app.forget` reports. */
export type OwnedStores = Readonly<Record<string, readonly (OwnedStore | undefined)[]>>;

/** Where features keep data of callers. */
export function ownedStores(features: readonly RuntimeFacet[], states: States): readonly OwnedStores[] {
  return features.map((feature) => feature.stores?.(states[feature.name] as never) ?? {});
}

/** The stores of several parts by their kinds, each once: parts may share one, or have their own. */
export function joinStores(parts: readonly OwnedStores[]): OwnedStores {
  const joined = new Map<string, Set<OwnedStore | undefined>>();
  for (const [kind, stores] of parts.flatMap((part) => Object.entries(part))) {
    joined.set(kind, new Set([...(joined.get(kind) ?? []), ...stores]));
  }
  return Object.fromEntries([...joined].map(([kind, stores]) => [kind, [...stores]]));
}

/** Reports to features that the application has changed. */
export async function reportChange(
  { features, states }: FeatureStates,
  change: ApplicationChange,
  surface: () => string,
): Promise<void> {
  await Promise.all(
    features.map(async (feature) => feature.changed?.(change, surface, states[feature.name] as never)),
  );
}

/** Reports to features what was removed of a person. @returns the errors of those that failed, by their names */
export async function reportRemoval(
  { features, states }: FeatureStates,
  person: string,
  removal: Removal,
): Promise<ReadonlyMap<string, unknown>> {
  const failed = new Map<string, unknown>();
  for (const feature of features)
    await feature.forgotten?.(person, removal, states[feature.name] as never).catch((error: unknown) => {
      failed.set(feature.name, error);
    });
  return failed;
}

/** What ends the states of features; undefined where nothing has to. */
export function createCloser({ features, states }: FeatureStates): (() => Promise<void>) | undefined {
  const closing = features.filter(
    (feature) => feature.close !== undefined && states[feature.name] !== undefined,
  );
  if (closing.length === 0) return undefined;
  return async () => {
    for (const feature of closing) await feature.close?.(states[feature.name] as never);
  };
}
