import {
  listOf,
  objectOf,
  oneOf,
  required,
  rule,
  texts,
  trueOrFalse,
  wholeNumber,
  filledText,
  type OptionRule,
  type OptionRules,
} from '../shared/option-rules.ts';
import { isPlainObject } from '../shared/json.ts';
import { parseConstraint } from '../version/constraint.ts';

/** How well a fact is known: seen in a run, read in the source of the client, documented by it, or told by others. */
export type Sureness = 'seen' | 'source' | 'docs' | 'reported';

/** What a client does, and who says so. */
export interface Fact<Value> {
  readonly value: Value;
  /** A page that anyone can open. */
  readonly source: string;
  /** The day on which the source said it. */
  readonly date: string;
  readonly sure: Sureness;
  /** What the client does with what is beyond the value: `cut`, `hashed`, `left-out`, `refused`, `file`. */
  readonly then?: string;
  /** What it puts before the name of a tool; `{server}` stands for the name that its user gives the server. */
  readonly prefix?: string;
  /** The most characters that the prefix has. */
  readonly maxPrefix?: number;
  /** The versions of the client for which it holds, as an npm range. Default: all. */
  readonly for?: string;
}

/** A document in which a client describes itself, of which the URL is its id (CIMD). */
export interface ClientDocument {
  /** `*` stands for one segment of the path. */
  readonly url: string;
  /** How the client authenticates at the token endpoint, the preferred way first. */
  readonly methods: readonly string[];
}

/**
 * The scopes that a client asks for: those of the 401 or else of the resource, all of the authorization server, or none.
 */
export type ScopeHabit = 'challenge' | 'server' | 'none';

/** What a client does when a person signs in. What is absent is unknown. */
export interface SignInFacts {
  /** Where the browser may be sent back to. `*` stands for any port or for one segment of the path. */
  readonly 'signIn.redirects'?: Fact<readonly string[]>;
  readonly 'signIn.document'?: Fact<ClientDocument>;
  /** What it sends to a registration endpoint. In a redirect `*` stands for what differs from time to time. */
  readonly 'signIn.registration'?: Fact<ClientRegistration>;
  /** All that it has been seen to do. */
  readonly 'signIn.scopes'?: Fact<readonly ScopeHabit[]>;
  /** Whether it asks for `offline_access` where the authorization server lists it. */
  readonly 'signIn.offlineAccess'?: Fact<boolean>;
  /** What it sends as `prompt` with `offline_access`. */
  readonly 'signIn.prompt'?: Fact<string>;
  /** Where it looks for the metadata of an authorization server, in this order. `{path}` is the path of the issuer. */
  readonly 'signIn.discovery'?: Fact<readonly string[]>;
  /** Which `resource` it wants in the metadata: the URL as it was typed, character for character. */
  readonly 'signIn.resource'?: Fact<'typed'>;
  /** What it does with `iss` of an answer: compares it, or needs it to be sent for a redirect of its own. */
  readonly 'signIn.issuer'?: Fact<'compared' | 'sent'>;
  /** Whether it comes back at another port than it has registered. */
  readonly 'signIn.anyPort'?: Fact<boolean>;
  /** The origin of the page from which it sends its requests. */
  readonly 'signIn.origin'?: Fact<string>;
}

/** The body of a registration request (RFC 7591), as far as it is known. */
export interface ClientRegistration {
  readonly redirect_uris: readonly string[];
  readonly client_name?: string;
  readonly grant_types?: readonly string[];
  readonly response_types?: readonly string[];
  readonly token_endpoint_auth_method?: string;
  readonly application_type?: 'native' | 'web';
  readonly client_uri?: string;
  readonly scope?: string;
}

/** What a client does with what a server lists and answers. What is absent is unknown. */
export interface ListFacts {
  /** The characters that the name of a tool may have, as in a class of a pattern: `A-Za-z0-9_`. */
  readonly 'name.chars'?: Fact<string>;
  readonly 'name.length'?: Fact<number>;
  readonly 'tools.count'?: Fact<number>;
  readonly 'description.chars'?: Fact<number>;
  readonly 'instructions.chars'?: Fact<number>;
  /** How many first characters of the instructions should stand alone. */
  readonly 'instructions.lead'?: Fact<number>;
  /** Tokens of one tool in the list. */
  readonly 'definition.tokens'?: Fact<number>;
  readonly 'inputSchema.bytes'?: Fact<number>;
  /** Keywords of JSON Schema. */
  readonly 'schema.refuses'?: Fact<readonly string[]>;
  readonly 'schema.drops'?: Fact<readonly string[]>;
  /** `type` with a list of types. */
  readonly 'schema.typeLists'?: Fact<'refused'>;
  readonly 'property.pattern'?: Fact<string>;
  /** Whether it follows `nextCursor`. */
  readonly pages?: Fact<boolean>;
  /** What a model sees of `structuredContent`: it alone, nothing of it, or it and the text. */
  readonly structured?: Fact<'replaces-text' | 'ignored' | 'both'>;
  readonly 'result.tokens'?: Fact<number>;
  readonly 'result.chars'?: Fact<number>;
  /** The key of `_meta` of a tool that lets its results be longer than `result.chars`, and the most characters that it may say. */
  readonly 'result.limitKey'?: Fact<{ readonly key: string; readonly max: number }>;
  readonly 'error.chars'?: Fact<number>;
  readonly 'content.image'?: Fact<ContentHabit>;
  readonly 'content.audio'?: Fact<ContentHabit>;
  readonly 'content.resource'?: Fact<ContentHabit>;
  readonly 'content.resource_link'?: Fact<ContentHabit>;
  readonly resources?: Fact<boolean>;
  readonly prompts?: Fact<boolean>;
  /** Whether it looks again when a list has changed. */
  readonly listChanged?: Fact<boolean>;
  /** Whether it loads definitions only when a model wants them. */
  readonly defers?: Fact<boolean>;
  /** By what it decides whether to ask a person before a call. */
  readonly approval?: Fact<'hints' | 'list' | 'code' | 'none'>;
  /** The kinds of questions of a server that it puts to a person. */
  readonly elicitation?: Fact<readonly ('form' | 'url')[]>;
  readonly auth?: Fact<readonly ('oauth' | 'none' | 'headers')[]>;
  /** Milliseconds. */
  readonly timeout?: Fact<number>;
}

/** What becomes of a block of a result on its way to the model. */
export type ContentHabit = 'shown' | 'text' | 'dropped';

/** What a directory wants of each tool, and what it does not take. */
export interface DirectoryFacts {
  readonly 'requires.title'?: Fact<boolean>;
  readonly 'requires.hints'?: Fact<readonly string[]>;
  /** `readOnlyHint: true` or `destructiveHint: true`. */
  readonly 'requires.marks'?: Fact<boolean>;
  readonly 'requires.output'?: Fact<boolean>;
  /** The name of the API in the description of a tool with a free query. */
  readonly 'requires.apiName'?: Fact<boolean>;
  /** The exact origins that a view reaches: none with a wildcard, none of a machine at hand. */
  readonly 'requires.csp'?: Fact<boolean>;
  /** A `server.json`, which package.json agrees with. */
  readonly 'requires.listing'?: Fact<boolean>;
  /** Tools that read and write. */
  readonly 'refuses.mixed'?: Fact<boolean>;
  /** Tools that take any action of the server. */
  readonly 'refuses.catchAll'?: Fact<boolean>;
  /** Hints that do not fit what the tool does. */
  readonly 'refuses.misfit'?: Fact<boolean>;
  /** Texts that tell a model what to do. */
  readonly 'refuses.steering'?: Fact<boolean>;
  /** Fields for secrets. */
  readonly 'refuses.sensitive'?: Fact<boolean>;
}

export interface ClientFacts extends ListFacts, DirectoryFacts, SignInFacts {}

const count = wholeNumber(1);
const content = oneOf('shown', 'text', 'dropped');
const recorded = rule('an object', isPlainObject);

const VALUES: OptionRules<ClientFacts> = {
  'name.chars': rule('a class of characters, such as A-Za-z0-9_', (value) => isPattern(value, '[', ']')),
  'name.length': count,
  'tools.count': count,
  'description.chars': count,
  'instructions.chars': count,
  'instructions.lead': count,
  'definition.tokens': count,
  'inputSchema.bytes': count,
  'schema.refuses': texts,
  'schema.drops': texts,
  'schema.typeLists': oneOf('refused'),
  'property.pattern': rule('a regular expression', (value) => isPattern(value)),
  pages: trueOrFalse,
  structured: oneOf('replaces-text', 'ignored', 'both'),
  'result.tokens': count,
  'result.chars': count,
  'result.limitKey': objectOf({ key: required(filledText), max: required(count) }),
  'error.chars': count,
  'content.image': content,
  'content.audio': content,
  'content.resource': content,
  'content.resource_link': content,
  resources: trueOrFalse,
  prompts: trueOrFalse,
  listChanged: trueOrFalse,
  defers: trueOrFalse,
  approval: oneOf('hints', 'list', 'code', 'none'),
  elicitation: listOf(oneOf('form', 'url')),
  auth: listOf(oneOf('oauth', 'none', 'headers')),
  timeout: count,
  'requires.title': trueOrFalse,
  'requires.hints': texts,
  'requires.marks': trueOrFalse,
  'requires.output': trueOrFalse,
  'requires.apiName': trueOrFalse,
  'requires.csp': trueOrFalse,
  'requires.listing': trueOrFalse,
  'refuses.mixed': trueOrFalse,
  'refuses.catchAll': trueOrFalse,
  'refuses.misfit': trueOrFalse,
  'refuses.steering': trueOrFalse,
  'refuses.sensitive': trueOrFalse,
  'signIn.redirects': texts,
  'signIn.document': recorded,
  'signIn.registration': recorded,
  'signIn.scopes': listOf(oneOf('challenge', 'server', 'none')),
  'signIn.offlineAccess': trueOrFalse,
  'signIn.prompt': filledText,
  'signIn.discovery': texts,
  'signIn.resource': oneOf('typed'),
  'signIn.issuer': oneOf('compared', 'sent'),
  'signIn.anyPort': trueOrFalse,
  'signIn.origin': filledText,
};

/** What each fact has to be. */
export const FACT_RULES = Object.fromEntries(
  Object.entries(VALUES).map(([name, value]) => [name, findFact(value)]),
) as unknown as OptionRules<ClientFacts>;

function findFact(value: OptionRule): OptionRule {
  return objectOf<Fact<unknown>>({
    value: required(value),
    source: required(rule('the https URL of who says so', isHttps)),
    date: required(rule('a day, such as 2026-11-26', isDay)),
    sure: required(oneOf('seen', 'source', 'docs', 'reported')),
    then: filledText,
    prefix: filledText,
    maxPrefix: count,
    for: rule('a range of versions, such as <2.1.280', isRange),
  });
}

function isPattern(value: unknown, before = '', after = ''): boolean {
  if (typeof value !== 'string' || value === '') return false;
  try {
    return new RegExp(`${before}${value}${after}`, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function isHttps(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).protocol === 'https:';
}

function isDay(value: unknown): boolean {
  const day = typeof value === 'string' ? new Date(value) : undefined;
  return day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === value;
}

function isRange(value: unknown): boolean {
  try {
    return typeof value === 'string' && parseConstraint(value).toString() !== '';
  } catch {
    return false;
  }
}
