import { quoteText } from '../../call/issue.ts';
import type { ResultLimit } from '../../scanner/actions/scan-tools.ts';
import { nearestName } from '../../shared/did-you-mean.ts';
import { withoutUndefined } from '../../shared/json.ts';

/**
 * A way to offer actions to clients: as the groups say (`own`), as one tool for each group, as up to three of them by what
 * they may do, as one tool for each action, or as tools that find actions and call them by their keys (`progressive`).
 */
export type SurfaceName = 'own' | 'grouped' | 'grouped-by-risk' | 'flat' | 'progressive';

/** All of them, in the order in which names of other surfaces are looked for. */
export const SURFACE_NAMES: readonly SurfaceName[] = Object.freeze([
  'own',
  'grouped',
  'grouped-by-risk',
  'flat',
  'progressive',
]);

/** What the calls of a tool may do: change nothing, change something, destroy something. */
export type Risk = 'read' | 'write' | 'destructive';

export const RISKS: readonly Risk[] = Object.freeze(['read', 'write', 'destructive']);

/** The last part of the names of tools that are grouped by risk. Risks with equal names are one tool. */
export type RiskNames = Readonly<Record<Risk, string>>;

export const RISK_NAMES: RiskNames = Object.freeze({
  read: 'read',
  write: 'write',
  destructive: 'destructive',
});

/** What clients make of a surface that do not take everything whole. */
export interface SurfaceForm {
  /** A tool with a larger schema is listed as a tool for each of its actions. */
  readonly flatOverBytes?: number;
  /** Longer names of tools are shortened. */
  readonly maxNameLength?: number;
  /** Longer descriptions of tools with signatures are shortened, in characters. */
  readonly maxDescription?: number;
  /** Whether signatures have the defaults that the schema has, too. */
  readonly defaults?: 'inline';
  /** Which tools say what their results have in them: none, or those whose actions give JSON. Default: all. */
  readonly outputs?: 'none' | 'json';
  /** Tools whose results may be longer say so. */
  readonly resultLimit?: ResultLimit;
}

/** One way to offer actions, as an application chose it. */
export interface Surface extends SurfaceForm {
  readonly name: SurfaceName;
  readonly riskNames: RiskNames;
  /** The surface whose tools are found first, and called by the keys of their actions; undefined where all are listed. */
  readonly reaches: Surface | undefined;
  /** Whether the application says that clients get it, and not only that they may choose it. */
  readonly isWanted: boolean;
  /** `grouped-by-risk/signatures`: another one for each form. */
  readonly key: string;
}

/** What is not the same for all surfaces of one name. */
type SurfaceParts = Partial<Pick<Surface, 'riskNames' | 'reaches' | 'isWanted'>> & SurfaceForm;

/** The surface of a name; undefined for `own`, which is what groups say themselves, unless a client takes another form of it. */
export function createSurface(name: SurfaceName, parts: SurfaceParts = {}): Surface | undefined {
  const { riskNames = RISK_NAMES, isWanted = false } = parts;
  const { flatOverBytes, maxNameLength, maxDescription, defaults, outputs, resultLimit } = parts;
  const form: SurfaceForm = withoutUndefined({
    ...{ flatOverBytes, maxNameLength, maxDescription },
    ...{ defaults, outputs, resultLimit },
  });
  if (name === 'own' && Object.keys(form).length === 0) return undefined;
  const reaches = name === 'progressive' ? (parts.reaches ?? createSurface('flat')) : undefined;
  return Object.freeze({ name, riskNames, reaches, isWanted, key: writeKey(name, form), ...form });
}

function writeKey(
  name: SurfaceName,
  { flatOverBytes, maxNameLength, maxDescription, defaults, outputs, resultLimit }: SurfaceForm,
): string {
  return [
    ...(name === 'flat' || name === 'own' ? [name] : [name, 'signatures']),
    ...(flatOverBytes === undefined ? [] : [`schema-${String(flatOverBytes)}`]),
    ...(maxNameLength === undefined ? [] : [`name-${String(maxNameLength)}`]),
    ...(maxDescription === undefined ? [] : [`text-${String(maxDescription)}`]),
    ...(defaults === undefined ? [] : [`defaults-${defaults}`]),
    ...(outputs === undefined ? [] : [`outputs-${outputs}`]),
    ...(resultLimit === undefined ? [] : [`results-${String(resultLimit.over)}-${resultLimit.key}`]),
  ].join('/');
}

/** Where a client says which surface it wants: at the end of the path, in the query, or in a header. */
export type SurfaceChoice = 'path' | 'query' | 'header';

export const SURFACE_CHOICES: readonly SurfaceChoice[] = Object.freeze(['path', 'query', 'header']);

/** What is wrong with the name of a surface; undefined where nothing is. */
export function unknownSurface(name: string): string | undefined {
  if ((SURFACE_NAMES as readonly string[]).includes(name)) return undefined;
  const nearest = nearestName(name, SURFACE_NAMES);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return `Unknown surface ${quoteText(name)}. Available: ${SURFACE_NAMES.join(', ')}.${hint}`;
}

/** What a client says of itself: a claim, which chooses a form and never a right. */
export interface ClientClaim {
  readonly name?: unknown;
  readonly version?: unknown;
  /** Counts where there is no name. */
  readonly userAgent?: unknown;
}

/** Which surface a request wants. */
export interface SurfaceWish {
  /** The one that it chose; undefined where it chose none. */
  readonly chosen?: string | undefined;
  /** Asked where none is chosen and the application looks at its clients. */
  readonly client?: () => ClientClaim;
}

/** The surface that fits a client, and what the client takes of it. */
export interface FittingSurface extends SurfaceForm {
  readonly name: SurfaceName;
  /** So many actions of an application, at most, are listed flat all the same. */
  readonly flatUpTo?: number | undefined;
  /** Where all definitions have more tokens, actions are found first. Default: however many they are, they are listed. */
  readonly progressiveOver?: number | undefined;
  /** The characters of names that the client does not replace, as in a class of a pattern. */
  readonly nameChars?: string;
  /** Whether it reads the first page of a list and no other. */
  readonly readsOnePage?: boolean;
  /** Whether it reads resources, and prompts; undefined where that is not known. */
  readonly readsResources?: boolean;
  readonly readsPrompts?: boolean;
}

/** What an application knows of its clients. */
export interface ClientFitting {
  /** What fits a client; the same object for clients that get the same. */
  readonly find: (client: ClientClaim) => FittingSurface;
  /** What fits the clients that are known, each once, with the ids of these clients. */
  readonly fits: ReadonlyMap<FittingSurface, readonly string[]>;
}

/** How large an application is, with what is hidden from some callers. */
export interface ApplicationSize {
  readonly actions: number;
  /** About so many tokens has the list of a surface. */
  readonly countTokens: (surface: SurfaceName) => number;
}

/** The surface of a client in an application of this size. */
export function settleSurface(
  { name, flatUpTo = 0, progressiveOver }: FittingSurface,
  { actions, countTokens }: ApplicationSize,
): SurfaceName {
  const fitting = actions <= flatUpTo ? 'flat' : name;
  const isTooLarge = progressiveOver !== undefined && countTokens(fitting) > progressiveOver;
  return isTooLarge ? 'progressive' : fitting;
}

/** What an application says of its surfaces. */
export interface SurfaceSettings {
  /** The one that clients get who choose none. */
  readonly use: SurfaceName;
  /** Undefined where all clients get the same. */
  readonly fitting: ClientFitting | undefined;
  /** All but `own`, by name. */
  readonly all: ReadonlyMap<string, Surface>;
  /** A form of a surface: the same object for the same form. */
  readonly form: (surface: Surface | undefined, form: SurfaceForm) => Surface;
  /** Those that clients can get: what is wrong with them is a problem of the application. */
  readonly served: readonly Surface[];
  /** The ways in which clients may choose another one. */
  readonly choose: ReadonlySet<SurfaceChoice>;
  /** Whether a call may name a tool of another surface. */
  readonly foreignNames: boolean;
  /** How many views of all surfaces together are kept. */
  readonly maxViews: number;
}
