/**
 * What the page of the explorer and its server say to each other; both import it, so it imports nothing of Node.
 *
 * - `GET /explorer` is the page. Its address has the token behind `#token=`; the page sends it with every request in the
 *   header {@link TOKEN_HEADER}. Without it everything but the page answers 401. Errors of the API are {@link ApiFailure}.
 * - `POST|GET|DELETE /explorer/mcp` is the application's own endpoint, in both eras, with the token instead of `auth`.
 *   The header {@link CALLER_HEADER} chooses who calls, where the application has authorization.
 * - `GET /explorer/view/<id>` is a view, once, with the policy of hosts and a sandbox. A frame sends no token; the id is secret.
 * - Bodies are JSON (`content-type: application/json`, else 415). Any other GET changes nothing.
 * - The policy allows one `<script>` and one `<style>` (or several) that are in the page's file: their hashes are computed
 *   from the file. Neither may have attributes beyond `type`. `eval`, inline handlers, style attributes in the markup,
 *   forms, and frames and requests of anywhere but the own origin are stopped.
 */

import type {
  DependencyGraph,
  ExploredOffer,
  ExploredTool,
  JsonObject,
  SurfacePreview,
} from '../application/explorer/explored-types.ts';
import type { ExploredWorkflow } from '../workflow/application/explored-workflows.ts';

export type { ExploredStep, ExploredWorkflow } from '../workflow/application/explored-workflows.ts';
export type {
  DependencyGraph,
  DependencyNode,
  ExploredAction,
  ExploredCheck,
  ExploredInside,
  ExploredOffer,
  ExploredTool,
  JsonObject,
  PreviewedResults,
} from '../application/explorer/explored-types.ts';

export const PATHS = Object.freeze({
  page: '/explorer',
  mcp: '/explorer/mcp',
  /** GET `?caller=` (as in the header): {@link ExploredApplication}. */
  application: '/explorer/api/application',
  /** POST {@link CheckRequest}: {@link CheckAnswer}. */
  check: '/explorer/api/check',
  /** GET `?format=&tool=&caller=`: {@link ModelView}. Without `tool` all tools of the caller. */
  model: '/explorer/api/model',
  /** GET `?surface=&client=&caller=`: {@link SurfaceView}. Without both, that of a client that is not known. */
  surface: '/explorer/api/surface',
  /** GET: {@link LockView}. */
  lock: '/explorer/api/lock',
  /** GET: {@link EvalsView}. */
  evals: '/explorer/api/evals',
  /** POST {@link ViewRequest}: {@link ViewPlace}. */
  views: '/explorer/api/view',
  /** Begins the path of each {@link ViewPlace}. */
  view: '/explorer/view',
  /** GET: one {@link ExplorerEvent} as JSON on each line, until one side ends it. A line may be empty: it keeps the stream open. */
  events: '/explorer/api/events',
});

export const TOKEN_HEADER = 'toolwright-explorer-token';

/** The id of one of {@link ExploredApplication.callers}, or a {@link CallerFacts} as JSON in ASCII. Default: `everything`. */
export const CALLER_HEADER = 'toolwright-explorer-caller';

export type ExplorerEra = '2025-11-25' | '2026-07-28';

/** What is known of a caller that a person makes up. */
export interface CallerFacts {
  readonly scopes?: readonly string[];
  readonly roles?: readonly string[];
  readonly subject?: string;
  readonly tenant?: string;
}

export interface NamedCaller extends CallerFacts {
  /** `everything` has all scopes and roles that are asked for somewhere, `nothing` has signed in and has none of them. */
  readonly id: string;
  readonly label: string;
}

export interface ApiFailure {
  readonly error: { readonly code: string; readonly message: string };
}

/** The application as one caller sees it. */
export interface ExploredApplication {
  readonly server: {
    readonly name: string;
    readonly version: string;
    readonly title?: string;
    readonly instructions?: string;
  };
  readonly eras: readonly ExplorerEra[];
  /** The path of the endpoint for other clients. */
  readonly endpoint: string;
  /** The hash covers all that is offered to any caller. */
  readonly surfaceHash: string;
  /** Undefined where nothing compares with a lock: see {@link LockView}. */
  readonly lock?: LockState;
  readonly authorization?: {
    readonly callers: readonly NamedCaller[];
    /** Lists every scope that the application requires somewhere. */
    readonly scopes: readonly string[];
    readonly roles: readonly string[];
    /** Where people sign in; undefined where the application does not sign them in itself. */
    readonly issuer?: string;
  };
  readonly tools: readonly ExploredTool[];
  readonly prompts: readonly ExploredOffer[];
  readonly resources: readonly ExploredOffer[];
  readonly templates: readonly ExploredOffer[];
  readonly graph: DependencyGraph;
  /** Lists what the workflow module has. The page asks for runs through the tools of that module. */
  readonly workflows: readonly ExploredWorkflow[];
}

export interface CheckRequest {
  readonly tool: string;
  /** Holds every argument of the call, the discriminator included. */
  readonly arguments: JsonObject;
  /** Takes what {@link CALLER_HEADER} takes. The header decides if this is left out. */
  readonly caller?: CallerFacts | string;
}

export type CheckAnswer =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** Repeats the text of the result that a client would get. */
      readonly text: string;
      readonly code?: string;
      readonly issues: readonly CheckedIssue[];
    };

export interface CheckedIssue {
  /** `title`, `items[0].name`; empty for the input as a whole. */
  readonly path: string;
  readonly message: string;
}

/** A view, as the client of the page has read it. */
export interface ViewRequest {
  readonly html: string;
  /** `_meta.ui.csp` of what was read. */
  readonly csp?: JsonObject;
}

export interface ViewPlace {
  /** Where a frame finds the view, once. */
  readonly path: string;
}

/** What a model is given of the tools, in the form of one API. */
export interface ModelView {
  readonly format: string;
  /** Lists the forms that the page can ask for. The first is `mcp`. */
  readonly formats: readonly string[];
  readonly tools: readonly ModelTool[];
  readonly bytes: number;
  /** Counts the tokens of all tools together. */
  readonly tokens: number;
  /** False: an estimate, because the provider renders tools in its own way. */
  readonly isExact: boolean;
  /** What the figure is a figure of. */
  readonly of: string;
  /** What the form cannot say. */
  readonly warnings: readonly ModelWarning[];
}

export interface ModelTool {
  /** The name that the tool has in this form. */
  readonly name: string;
  /** The tool as compact JSON. */
  readonly text: string;
  readonly bytes: number;
  /** The tokens of all tools, less those of all other tools. */
  readonly tokens: number;
  readonly parts: {
    readonly description: number;
    readonly fieldTexts: number;
    readonly names: number;
    readonly values: number;
    readonly structure: number;
  };
}

export interface ModelWarning {
  readonly message: string;
  readonly [fact: string]: unknown;
}

/** What a client is listed, or what all clients of a surface are. */
export interface SurfaceView extends Omit<SurfacePreview, 'tools' | 'beside'> {
  /** All tools in their order, those that belong to no group at the end. */
  readonly model: ModelView;
  /** The names of those that belong to no group. */
  readonly beside: readonly string[];
  /** The clients whose requests were answered, the latest first. */
  readonly seen: readonly SeenClient[];
}

/** A client whose requests were answered, by what it says of itself. */
export interface SeenClient {
  /** When its last request came, in milliseconds since the epoch. */
  readonly at: number;
  /** The id of the client that is known by this name; `generic` where none is. */
  readonly id: string;
  readonly name?: string;
  readonly version?: string;
  /** Set if the client gives no name. */
  readonly userAgent?: string;
  readonly era: '2025' | '2026' | 'none';
  /** Undefined until it asks for tools. */
  readonly surface?: string;
  /** What decided about the surface: the choice of the client, what fits it, or the application for all. */
  readonly by?: 'choice' | 'client' | 'application';
}

/** `unknown`: nothing compares, because no command line serves the application. */
export type LockState = 'same' | 'different' | 'missing' | 'unreadable' | 'unknown';

export interface LockView {
  readonly state: LockState;
  /** Why it cannot be read. */
  readonly message?: string;
  /** The list begins with the most serious change. */
  readonly changes: readonly {
    readonly level: 'breaking' | 'risky' | 'safe';
    readonly rule: string;
    readonly where: string;
    readonly message: string;
  }[];
}

/** What runs of evals came to. */
export interface EvalsView {
  /** Where reports are looked for; undefined where no command line serves the application. */
  readonly folder?: string;
  /** One for each surface of a report, the newest first. */
  readonly runs: readonly EvaluatedRun[];
}

export interface EvaluatedRun {
  readonly id: string;
  /** The name of the report. */
  readonly file: string;
  /** When it was written, in milliseconds since the epoch. */
  readonly at: number;
  readonly surface: string;
  /** `scripted` where no model was asked. */
  readonly model: string;
  readonly surfaceHash: string;
  readonly tools: number;
  /** The size of the definitions. */
  readonly tokens: number;
  /** Metrics that apply to any of the cases. */
  readonly shares: readonly (EvaluatedShare & { readonly name: string })[];
  readonly cases: readonly EvaluatedCase[];
}

export interface EvaluatedShare {
  readonly passed: number;
  readonly of: number;
  /** The ends of the interval, from 0 to 1. */
  readonly low: number;
  readonly high: number;
}

/** All trials of a case. */
export interface EvaluatedCase {
  readonly name: string;
  /** The worst of them. */
  readonly status: 'done' | 'failed' | 'stale';
  readonly done: number;
  readonly of: number;
  readonly why?: string;
  /** The calls of the worst trial: the action, what it was given, and the code of an error. */
  readonly calls: readonly string[];
}

export interface SwapFailure {
  /** The text that the terminal shows, without colours. */
  readonly text: string;
  readonly problems: readonly {
    readonly code: string;
    readonly where?: string;
    readonly what: string;
    readonly why?: string;
    readonly fix?: string;
  }[];
}

export type ExplorerEvent =
  /** The first line of each stream. */
  | { readonly type: 'connected'; readonly surfaceHash: string; readonly failure?: SwapFailure }
  /** Ask for the application again: another one serves now. */
  | {
      readonly type: 'swapped';
      readonly files: readonly string[];
      readonly milliseconds: number;
      /** The lists that differ and were announced: `tools`, `prompts`, `resources`. */
      readonly changed: readonly string[];
      readonly surfaceHash: string;
    }
  | { readonly type: 'failed'; readonly failure: SwapFailure }
  /** What was saved last is what is served. */
  | { readonly type: 'recovered' }
  /** A list changed, or a resource. Clients were notified. */
  | {
      readonly type: 'changed';
      readonly kind: 'tools' | 'prompts' | 'resources' | 'resource' | 'views';
      readonly uri?: string;
    }
  /** Another client was seen, or one on another surface: see {@link SurfaceView.seen}. */
  | { readonly type: 'client' }
  | TrafficEvent;

/** A message of another client of this application. Secrets are masked. */
export interface TrafficEvent {
  readonly type: 'traffic';
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly tool?: string;
  readonly action?: string;
  readonly client?: string;
  readonly era: '2025' | '2026' | 'none';
  readonly isError: boolean;
  /** The code of the error, if the answer was one. */
  readonly code?: string;
  readonly milliseconds: number;
  /** The JSON-RPC request without credentials and `_meta`; undefined where nobody knows what in it is a secret. */
  readonly request?: JsonObject;
  /** The JSON-RPC answer. */
  readonly response?: JsonObject;
}
