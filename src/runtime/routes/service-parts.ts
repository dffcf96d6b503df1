import type { SurfaceWish } from '../../compile/surfaces/surface.ts';
import type { AuthInfo } from '../../call/request-context.ts';
import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import type { WirePrompt, WireResource, WireResourceTemplate } from '../../converters/wire.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call, Handle } from '../../kernel/call/call.ts';
import type { Verdicts } from '../requirements/verdicts.ts';
import type { RouteSettings } from './route.ts';
import type { Admission } from '../../kernel/call/service-request.ts';

/** What an application offers. A part that it does not have is undefined and is not declared to clients. */
export interface ServiceParts {
  readonly tools: ToolService | undefined;
  readonly prompts: PromptService | undefined;
  readonly resources: ResourceService | undefined;
  readonly completions: CompletionService | undefined;
}

/** Methods of the protocol, each with what answers it. */
export type Methods = Readonly<Record<string, Handle>>;

interface ServicePart {
  /** The methods of the part, with the routes of everything that can be called by them. */
  methods(settings: RouteSettings): Methods;
}

export interface ToolService extends ServicePart {
  /** Those that callers with the verdicts see; undefined for all of them. */
  list(verdicts?: Verdicts): readonly ToolDefinition[];
  /**
   * Those that a caller may see.
   * @param isLocal whether it calls from inside the process. Default: over a network
   * @param wish what the request says of the surface
   */
  listTo(
    authInfo: AuthInfo | undefined,
    isLocal?: boolean,
    wish?: SurfaceWish,
  ): MaybePromise<readonly ToolDefinition[]>;
  /** Those of all surfaces that clients can get, also what is hidden from some of them; undefined where there is one. */
  everyTool?(): readonly ToolDefinition[];
  /** Notes on a call where its client gets its tools; undefined where there is one surface. */
  enter?(call: Call): void;
  /** The one that a call would find, where there are several surfaces. */
  toolNamed?(
    name: unknown,
    authInfo: AuthInfo | undefined,
    wish?: SurfaceWish,
  ): MaybePromise<ToolDefinition | undefined>;
}

/** What a list needs no request for: frozen, and the same array until something changes. */
export interface FixedList<Entry> {
  readonly list: readonly Entry[];
  /** False where templates or families list some for each request. */
  readonly isAll: boolean;
}

export interface PromptService extends ServicePart {
  /** Single prompts, and what the `list` methods of families give. */
  list(call: Call): MaybePromise<readonly WirePrompt[]>;
  /** Those that are the same for every request, and whether these are all. */
  fixed(verdicts?: Verdicts): FixedList<WirePrompt>;
}

export interface ResourceService extends ServicePart {
  /** Fixed resources, and what the `list` methods of templates give. */
  list(call: Call): MaybePromise<readonly WireResource[]>;
  /** @param verdicts undefined for all of them */
  templates(verdicts?: Verdicts): readonly WireResourceTemplate[];
  /** Those that are the same for every request, and whether these are all. */
  fixed(verdicts?: Verdicts): FixedList<WireResource>;
  /** Whether a fixed resource or a template has the URI. @param verdicts undefined for all of them */
  has(uri: string, verdicts?: Verdicts): boolean;
  /** Whether the application has the URI, or another server that it offers. */
  knows(uri: string, verdicts?: Verdicts): boolean;
}

export type CompletionService = ServicePart;

/** The parts of a service that a server declares as capabilities. */
export type PartName = keyof ServiceParts;

/** What a server declares for each part (spec: basic/lifecycle, Capability Negotiation). */
export const PART_CAPABILITIES: Readonly<Record<PartName, Readonly<Record<string, boolean>>>> = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
};

/** The parts that a service has, in the order of the table above. */
export function partsOf(service: ServiceParts): readonly PartName[] {
  const parts = Object.keys(PART_CAPABILITIES) as PartName[];
  return parts.filter((part) => service[part] !== undefined);
}

/** The methods of each part. */
export const PART_METHODS: Readonly<Record<PartName, readonly string[]>> = {
  tools: ['tools/list', 'tools/call'],
  prompts: ['prompts/list', 'prompts/get'],
  resources: [
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'resources/subscribe',
    'resources/unsubscribe',
  ],
  completions: ['completion/complete'],
};

/** The methods of a service, each the route of its requests. */
interface ServiceRoutes {
  readonly methods: ReadonlyMap<string, Handle>;
  /** For all other methods. */
  readonly unknown: Handle;
}

/** What stands behind a service, replaced as a whole. */
export interface Served {
  readonly parts: ServiceParts;
  readonly routes: ServiceRoutes;
  readonly settings: RouteSettings;
  readonly admissions: readonly Admission[];
}
