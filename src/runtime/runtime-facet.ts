import type { ToolDefinition } from '../compile/tools/compiled-tool.ts';
import type { ToolFilter } from '../compile/tools/tool-filter.ts';
import type { PlainObject } from '../shared/json.ts';
import type { WirePrompt, WireResource, WireResourceTemplate } from '../converters/wire.ts';
import type { HttpDoor } from '../call/http-door.ts';
import type { ChangeNotice } from '../call/notifier.ts';
import type { OwnIssuer } from '../metadata/token-verifier.ts';
import type { Call, Handle } from '../kernel/call/call.ts';
import type { Outcome, ResultOutcome } from '../kernel/call/outcome.ts';
import type { Problem } from '../errors/problem-list.ts';
import type { Origin } from '../kernel/call/service-request.ts';
import type { ContextMembers, States } from '../kernel/call/states.ts';
import type { Telemetry } from '../kernel/call/telemetry.ts';
import type { RemoteMarks } from '../kernel/call/service-request.ts';
import type { ScannedRequirements } from '../scanner/requirements/scanned-requirements.ts';
import type { ScannedApplication } from '../scanner/scan-application.ts';
import type { MaybePromise } from '../shared/maybe-promise.ts';
import type { OwnedStore } from '../shared/owners/owned-key.ts';
import type { Secrets } from '../shared/sealed-text.ts';
import type { CallLogging, RequestObserver } from './logging/log-records.ts';
import type { StoreClock } from './store/store-clock.ts';
import type { Store } from './store/store.ts';

/** Members of the option group `limits`. Each feature adds those that it reads. */
export interface LimitGroup {
  readonly argumentNodes?: number;
}

/** Options of one action or group of the plain API. Each feature adds those that it reads. */
export interface ActionGroup {
  readonly name: string;
}

/** The options of an application or registry, as far as features read them. */
export interface OptionGroups {
  readonly limits?: LimitGroup | undefined;
}

/** What an application shares with its other instances. Each feature adds a port of its own. */
export interface Ports {
  /** Each feature has a collection in it. */
  readonly store?: Store | undefined;
}

/** What features tell each other, by the names of events. Each feature adds its own. */
// oxlint-disable-next-line typescript/no-empty-object-type -- members come by merging
export interface FeatureEvents {}

/** Reports an event to all features that listen to it. */
export type TellFeatures = <Name extends keyof FeatureEvents>(name: Name, event: FeatureEvents[Name]) => void;

/** What the state of a feature is made of. */
export interface StateSource extends CallLogging {
  readonly server: string;
  readonly version: string;
  readonly secrets: Secrets | undefined;
  readonly options: OptionGroups;
  /** Undefined for a registry of its own, and for a context alone. */
  readonly scanned: ScannedApplication | undefined;
  /** The actions that the application has for its clients; undefined for all of them. */
  readonly filter?: ToolFilter;
  readonly telemetry: Telemetry | undefined;
  readonly ports: Ports;
  /** The store for one collection, observed under its name; undefined where everything is kept in memory. */
  readonly storeFor: (collection: string) => Store | undefined;
  /** The time of the store. */
  readonly clock: StoreClock;
  /** Whether the application only shows what it offers: nothing is opened or written for it. */
  readonly isLazy: boolean;
  readonly tell: TellFeatures;
  /** Notifies connected clients of a change that the feature has found. */
  readonly notify: (change: ChangeNotice) => void;
}

/** What became of the entries of a person, by kinds of stores. */
export interface Removal {
  /** How many entries were removed. */
  readonly removed: Readonly<Record<string, number>>;
  /** Kinds whose store cannot remove those of one person. */
  readonly unsupported: readonly string[];
  /** Kinds whose store failed. */
  readonly failed: readonly string[];
}

/** What changes in an application: it has started, or a list is another one. */
export type ApplicationChange = 'started' | 'tools' | 'prompts' | 'resources';

/** What is known of a client that decides which tools it needs; what is undefined is not known. */
export interface ClientHabits {
  readonly readsResources?: boolean | undefined;
  readonly readsPrompts?: boolean | undefined;
}

/** For whom tools are listed. */
export interface ToolReader {
  /** Undefined where the application does not look at its clients. */
  readonly client: ClientHabits | undefined;
  /** Whether it is listed what fits it, and not what groups say or what it chose. */
  readonly isFitted: boolean;
  /** What it sees in the other lists, without what is listed for each request. Equal lists are the same array. */
  readonly prompts: readonly WirePrompt[];
  readonly resources: readonly WireResource[];
  readonly templates: readonly WireResourceTemplate[];
}

/** The tools that the caller of a call sees, on no surface in particular. The same list for the same ones. */
export type SeenTools = () => readonly ToolDefinition[];

/** Answers by another method of the service, which checks the caller and runs all that belongs to it. */
export type AskService = (
  method: 'resources/read' | 'prompts/get',
  params: PlainObject,
) => MaybePromise<Outcome>;

/** A tool that a feature has, and no group. A tool of the application with its name wins. */
export interface FeatureTool {
  readonly name: string;
  /** As a client is listed it; undefined where it is not. The same object where it is the same. */
  readonly describe: (reader: ToolReader) => ToolDefinition | undefined;
  /** It may reject with a ProtocolError. */
  readonly answer: (args: PlainObject, call: Call, ask: AskService) => MaybePromise<Outcome>;
}

/** A list that entries of other servers stand in, too. */
export type RemoteList = 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';

/** What another server has under a name or URI. It is neither compiled nor checked here. */
export interface RemoteEntry {
  /** The name under which calls are limited, recorded and observed. */
  readonly name: string;
  readonly marks: RemoteMarks;
  /** It may reject with a ProtocolError. */
  readonly answer: Handle;
}

/** Another server, whose tools, prompts and resources an application offers beside its own. */
export interface RemoteServer {
  /** What its callers have to be; others do not see what it has. */
  readonly requirements: ScannedRequirements | undefined;
  /** What the client of a call is listed of it. It never rejects: a server that cannot be reached has nothing, or what it had. */
  list(method: RemoteList, call: Call): MaybePromise<readonly object[]>;
  /** What a request names; undefined for what it does not have. */
  find(call: Call): MaybePromise<RemoteEntry | undefined>;
  /** The schema of the arguments of a tool, as the server wrote it; undefined where it is not known. It asks nobody. */
  inputSchema(tool: string): unknown;
  /** Whether a URI is one of its resources. It asks nobody. */
  owns(uri: string): boolean;
  /** From now on, it notifies of changes of the resource. */
  watch(uri: string): void;
}

/** A part of a service, by the names of `ServiceParts`. */
type OfferedPart = 'tools' | 'prompts' | 'resources' | 'completions';

/** A method of the protocol that a feature answers, where an application has tools. */
export interface FeatureMethod {
  readonly answer: Handle;
  /** It ends running work or asks how it is: it is served during the shutdown too, and not waited for. */
  readonly isUncounted: boolean;
}

/** Divides a list of an extension into pages, as all lists are divided. */
export type PageExtension = (member: string, all: readonly object[], call: Call) => Outcome;

/** An extension of the protocol that a feature serves, in every revision and with or without tools. */
export interface ServedExtension {
  /** What a server declares of it under `capabilities.extensions`. */
  readonly settings: PlainObject;
  /** Its methods, by their names. */
  readonly methods: Readonly<Record<string, (call: Call, page: PageExtension) => MaybePromise<Outcome>>>;
}

/** Work that goes on beside requests. The application that takes the place of another one goes on with it. */
export interface BackgroundWork {
  /** Resolves when nothing runs here any more. */
  whenIdle(): Promise<void>;
  /** Ends what runs here, or leaves it to other processes. */
  close(): Promise<void>;
}

/** Runs the calls that wait on queues. */
export interface QueueWork {
  /** Whether the queues are shared with other processes. */
  readonly isShared: boolean;
  /** @param serve what answers a call, as a service does */
  work(
    serve: (request: Origin) => MaybePromise<Outcome>,
    options: { readonly queues: readonly string[]; readonly concurrency: number },
  ): Promise<{ stop(): Promise<void> }>;
}

/** The part of a feature that runs, beside its stages. */
export interface RuntimeFacet<State = never> {
  readonly name: string;
  /** Whether an application needs the state. Default: every one does. */
  wanted?(source: StateSource): boolean;
  /** Options: where they are equal, the state stays when another application takes the place of one. */
  readonly madeOf?: readonly string[];
  /** What the feature keeps from call to call: `call.states[name]`. */
  state?(source: StateSource): State;
  /** What is good to know of an application that starts all the same. */
  notes?(scanned: ScannedApplication): readonly Problem[];
  /** Members of the context of a call, by their names. Each is made when a handler asks for it. */
  members?(state: State): ContextMembers;
  /** Parts that a server declares though an application has nothing in them. */
  offers?(state: State | undefined): readonly OfferedPart[];
  /** Resources of the feature's own that the caller is listed: the same frozen list for the same ones, so that its pages are kept. */
  resources?(call: Call, state: State | undefined, tools: SeenTools): readonly WireResource[];
  /**
   * All of these resources with what decides how they are read, as JSON. Where another application takes the place of one and
   * it differs, clients are notified.
   */
  everyResource?(state: State | undefined): readonly unknown[];
  /** A list of tools as the client of a call is listed it: the same array for the same list and kind of client. */
  fitTools?(list: readonly ToolDefinition[], call: Call, state: State | undefined): readonly ToolDefinition[];
  /** A resource of the feature's own; undefined for every other URI. An error where it cannot be read now. */
  read?(call: Call, state: State | undefined, tools: SeenTools): MaybePromise<object | undefined>;
  /** Other servers, whose entries stand beside those of the application. What the application has wins. */
  remote?(state: State | undefined): readonly RemoteServer[];
  /** Tools of the feature's own, for clients that read what stands in no list of theirs. */
  tools?(state: State | undefined, states: States): readonly FeatureTool[];
  /** What becomes of a result of a tool that a feature has. */
  fitResult?(result: ResultOutcome, call: Call, tool: string): MaybePromise<Outcome>;
  /** Methods of the protocol, by their names. */
  methods?(state: State | undefined): Readonly<Record<string, FeatureMethod>>;
  /** Extensions of the protocol, by their identifiers; none where an application has nothing for them. */
  extensions?(state: State | undefined): Readonly<Record<string, ServedExtension>>;
  /** What it has under way beside requests. */
  background?(state: State | undefined): BackgroundWork | undefined;
  /** What works on queues; one feature does. */
  queueWork?(state: State | undefined): QueueWork | undefined;
  /** Where data of callers is kept, by the names that `app.forget` reports. */
  stores?(state: State | undefined): Readonly<Record<string, readonly (OwnedStore | undefined)[]>>;
  /** The application has changed. It must not fail. @param surface hashes what it offers */
  changed?(change: ApplicationChange, surface: () => string, state: State | undefined): MaybePromise<void>;
  /** The data of a person was removed. Where this rejects, `app.forget` names the feature among the stores that failed. */
  forgotten?(person: string, removal: Removal, state: State | undefined): Promise<void>;
  /** Events of features before it in the list. It must not fail. */
  readonly on?: {
    readonly [Name in keyof FeatureEvents]?: (event: FeatureEvents[Name], state: State | undefined) => void;
  };
  /** Issues tokens in the application itself; one feature does. @param resource the URL of the endpoint, once it is known */
  issuer?(options: OptionGroups, resource: () => string): OwnIssuer | undefined;
  /** What observes the requests of an application; one feature has something. */
  observer?(state: State | undefined): RequestObserver | undefined;
  /** Paths beside the endpoint that the feature answers; the first feature that serves a path has it. */
  door?(state: State | undefined): HttpDoor | undefined;
  /** Called before the application serves. Where it rejects, there is no application. */
  start?(state: State | undefined): Promise<void>;
  /** The application ends. Ports are open until then. A state that may outlive its application, by `madeOf`, has none. */
  close?(state: State | undefined): MaybePromise<void>;
}
