import { withoutUndefined } from '../shared/json.ts';
import type { ClientChoices } from './clients.ts';
import type { ClientFacts } from './facts.ts';
import type { Profile } from './profiles.ts';

type SurfaceName = ClientChoices['surface'];

/** How the actions of an application are listed so that they fit a client. */
export interface ClientFit {
  readonly name: SurfaceName;
  /** Where all definitions have more tokens, actions are found first. */
  readonly progressiveOver?: number;
  /** So many actions of an application, at most, are listed flat all the same. */
  readonly flatUpTo?: number;
  /** A tool with a larger schema is listed as a tool for each of its actions. */
  readonly flatOverBytes?: number;
  /** Longer names of tools are shortened by us, because the client would cut or leave them out. */
  readonly maxNameLength?: number;
  /** The characters of names that the client does not replace, as in a class of a pattern. */
  readonly nameChars?: string;
  /** Whether it reads the first page of a list and no other. */
  readonly readsOnePage?: boolean;
  /** Which tools say what their results have in them: none, or those whose actions give JSON. */
  readonly outputs?: 'none' | 'json';
  /** A longer description of a tool with several actions is shortened, in characters. */
  readonly maxDescription?: number;
  /** Whether signatures have all defaults, because the client drops them from schemas. */
  readonly defaults?: 'inline';
  /** How a tool says that its results may be longer than so many characters (`over`), and at most how long. */
  readonly resultLimit?: { readonly key: string; readonly over: number; readonly max: number };
  /** Whether it reads resources, and prompts; undefined where that is not known. */
  readonly readsResources?: boolean;
  readonly readsPrompts?: boolean;
}

/** What a client does with long names where nothing is lost by it. */
const HARMLESS = new Set<string | undefined>(['hashed', 'cut-prefix', undefined]);
/** The name that a user gives the server is not known. */
const SERVER_NAME_LENGTH = 20;
/** Fewer characters would leave nothing but the hash. */
const MIN_NAME_LENGTH = 24;

/** How many characters a client puts before the names of tools. */
export function prefixLength({
  prefix = '',
  maxPrefix = Infinity,
}: {
  readonly prefix?: string;
  readonly maxPrefix?: number;
}): number {
  return Math.min(prefix.replace('{server}', 'x'.repeat(SERVER_NAME_LENGTH)).length, maxPrefix);
}

/** What an application says of the surfaces of clients. */
export interface ClientWishes {
  readonly clients?: Readonly<Record<string, SurfaceName>> | undefined;
  readonly progressiveOver?: number | undefined;
}

const PROGRESSIVE_OVER = 20_000;

/**
 * What fits a client: what the application says of it, or else what we chose for it and what is known of it.
 * @param wishes the options `surface.clients` and `surface.progressiveOver`
 */
export function fitClient(
  { id, facts, choices }: Pick<Profile, 'id' | 'facts' | 'choices'>,
  { clients = {}, progressiveOver = PROGRESSIVE_OVER }: ClientWishes = {},
): ClientFit {
  const { surface: name, flatUpTo, flatOverBytes, describeChars: maxDescription, defaults } = choices;
  const said = Object.hasOwn(clients, id) ? clients[id] : undefined;
  // A client that searches itself needs the tools, and of one that is not known nothing is done
  const over = facts.defers?.value === false ? progressiveOver : undefined;
  const chosen = { name, flatUpTo, flatOverBytes, progressiveOver: over };
  const fit = said === undefined ? chosen : { name: said };
  const habits = {
    ...readNameHabits(facts),
    readsOnePage: facts.pages?.value === false ? true : undefined,
    ...{ maxDescription, defaults },
    outputs: chooseOutputs(choices, facts),
    resultLimit: readResultLimit(choices, facts),
    readsResources: facts.resources?.value,
    readsPrompts: facts.prompts?.value,
  };
  return Object.freeze(withoutUndefined({ ...fit, ...habits }));
}

/** A client that reads the structure alone would never see a text in another form. */
function chooseOutputs(
  { result, outputSchema }: ClientChoices,
  { structured }: ClientFacts,
): ClientFit['outputs'] {
  if (result === 'text' && outputSchema === false) return 'none';
  return structured?.value === 'replaces-text' ? 'json' : undefined;
}

function readResultLimit(
  { budget: { chars: over } }: ClientChoices,
  { 'result.limitKey': limit }: ClientFacts,
): ClientFit['resultLimit'] {
  if (over === undefined || limit === undefined || limit.sure === 'reported') return undefined;
  return Object.freeze({ ...limit.value, over });
}

/** What only others say of a client changes no name. */
function readNameHabits({
  'name.length': length,
  'name.chars': chars,
}: ClientFacts): Partial<Record<'maxNameLength', number> & Record<'nameChars', string>> {
  const isCut = length !== undefined && length.sure !== 'reported' && !HARMLESS.has(length.then);
  return {
    ...(isCut ? { maxNameLength: Math.max(MIN_NAME_LENGTH, length.value - prefixLength(length)) } : {}),
    ...(chars === undefined || chars.sure === 'reported' ? {} : { nameChars: chars.value }),
  };
}
