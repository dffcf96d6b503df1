import { Buffer } from 'node:buffer';
import type { ProblemList } from '../errors/problem-list.ts';
import type { AuthInfo } from '../index.ts';
import type { FetchFunction } from '../operations/http/fetch-carrier.ts';
import type { CarriedCall, HttpRequest, Sign } from '../operations/operation.ts';
import { pointTo } from '../schema/pointer.ts';
import { resolveReference } from './copy-schema.ts';
import { OpenApiFault } from './openapi-fault.ts';
import { ClientTokens, findTokenUrl } from './client-tokens.ts';
import { environmentVariable } from '../shared/platform.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { aFunction, filledText, oneOf, texts, type OptionRules } from '../shared/option-rules.ts';
import type { DocumentOperation } from './read-operations.ts';

/** A credential of one scheme of a document. One of `value`, `env` and `for` says what it is. */
export interface OpenApiCredential {
  /**
   * How it is sent. Default: as the scheme of the document says. `basic` takes `user:password`; `oauth2` takes `id:secret` of a
   * client, gets a token for it (the grant `client_credentials`), and sends that.
   */
  readonly type?: 'bearer' | 'basic' | 'apiKey' | 'oauth2';
  /** The credential itself. */
  readonly value?: string;
  /** The variable of the environment that has it. */
  readonly env?: string;
  /** That of a caller; undefined sends none. */
  readonly for?: (
    caller: AuthInfo | undefined,
    call: CarriedCall,
  ) => string | undefined | Promise<string | undefined>;
  /** Of an API key: where it stands. Default: as the scheme says, else a header. */
  readonly in?: 'header' | 'query' | 'cookie';
  /** Of an API key: its name there. Default: as the scheme says. */
  readonly name?: string;
  /**
   * Where tokens of `oauth2` come from. Default: as the scheme says, where that is at the origin of `baseUrl`: another one gets
   * the secret only where it is named here.
   */
  readonly tokenUrl?: string;
  /** The scopes that are asked for with `oauth2`. Default: none. */
  readonly scopes?: readonly string[];
}

export const CREDENTIAL_RULES: OptionRules<OpenApiCredential> = {
  type: oneOf('bearer', 'basic', 'apiKey', 'oauth2'),
  value: filledText,
  env: filledText,
  for: aFunction,
  in: oneOf('header', 'query', 'cookie'),
  name: filledText,
  tokenUrl: filledText,
  scopes: texts,
};

/** Credentials by the names of the schemes of a document. */
export type OpenApiCredentials = Readonly<Record<string, OpenApiCredential>>;

interface Scheme {
  readonly type: 'bearer' | 'basic' | 'apiKey';
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly give: NonNullable<OpenApiCredential['for']>;
}

/** Where tokens of clients are asked for. */
export interface TokenRoute {
  /** Where the API is; undefined for an application of this process. */
  readonly baseUrl?: string | undefined;
  readonly fetch?: FetchFunction | undefined;
  readonly timeout?: number | undefined;
}

/** The credentials of an API: they belong to its base URL, and to nothing else. */
export class Credentials {
  readonly #root: PlainObject;
  readonly #known: PlainObject;
  readonly #schemes: ReadonlyMap<string, Scheme>;
  /** Of schemes that the document does not know: they are sent with everything. */
  readonly #always: readonly Scheme[];
  readonly #missing = new Map<string, string[]>();

  constructor(root: PlainObject, given: OpenApiCredentials, problems: ProblemList, route: TokenRoute = {}) {
    this.#root = root;
    this.#known = schemesIn(root);
    const schemes = Object.entries(given).flatMap(([name, credential]) => {
      const scheme = readScheme(name, credential, this.#declared(name, problems), { route, problems });
      return scheme === undefined ? [] : [[name, scheme] as const];
    });
    this.#schemes = new Map(schemes);
    this.#always = schemes.filter(([name]) => !Object.hasOwn(this.#known, name)).map(([, scheme]) => scheme);
  }

  #declared(name: string, problems: ProblemList): PlainObject {
    const given = Object.hasOwn(this.#known, name) ? this.#known[name] : undefined;
    const pointer = pointTo('', 'components', 'securitySchemes', name);
    try {
      const { value } = resolveReference(this.#root, given, pointer);
      return isPlainObject(value) ? value : {};
    } catch (fault) {
      if (!(fault instanceof OpenApiFault)) throw fault;
      problems.add('TW_OPENAPI_CREDENTIAL_MISSING', {
        where: `option credentials.${name}, #${fault.pointer}`,
        what: `is for a scheme that cannot be read: ${fault.message}.`,
        fix: 'correct the scheme in the document',
      });
      return {};
    }
  }

  /** What signs the requests of an operation. Those that cannot be signed are reported with {@link report}. */
  signerFor(operation: DocumentOperation): Sign {
    const chosen = this.#chosen(operation);
    const all = [...chosen, ...this.#always.filter((scheme) => !chosen.includes(scheme))];
    return async (request, call) => {
      let signed = request;
      const secrets: string[] = [];
      for (const scheme of all) {
        const secret = await scheme.give(call.caller, call);
        if (secret === undefined) continue;
        signed = withCredential(signed, scheme, secret);
        secrets.push(secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64'));
      }
      return { ...signed, secrets };
    };
  }

  /** The first alternative of which all schemes are configured (OpenAPI 3.1, 4.8.30, Security Requirement Object). */
  #chosen(operation: DocumentOperation): readonly Scheme[] {
    const given = operation.value['security'] ?? this.#root['security'];
    const alternatives = (Array.isArray(given) ? given : []).filter(isPlainObject);
    if (alternatives.length === 0) return [];
    const complete = alternatives.find((each) => Object.keys(each).every((name) => this.#schemes.has(name)));
    if (complete !== undefined) return Object.keys(complete).flatMap((name) => this.#schemes.get(name) ?? []);
    if (this.#always.length === 0) {
      const names = alternatives.map((each) => Object.keys(each).join(' and ')).join(', or ');
      this.#missing.set(names, [...(this.#missing.get(names) ?? []), operation.key]);
    }
    return [];
  }

  /** Says which operations cannot be called. */
  report(problems: ProblemList): void {
    for (const [names, keys] of this.#missing) {
      const [first = ''] = names.split(/ and |, or /);
      problems.add('TW_OPENAPI_CREDENTIAL_MISSING', {
        where: 'option credentials',
        what: `has none of ${names}, which ${shown(keys)} ${keys.length === 1 ? 'needs' : 'need'}.`,
        fix: `credentials: { ${JSON.stringify(first)}: { env: 'API_TOKEN' } }, or exclude what needs it`,
      });
    }
  }
}

const MAX_SHOWN = 5;

function shown(keys: readonly string[]): string {
  const further = keys.length - MAX_SHOWN;
  const listed = keys.slice(0, MAX_SHOWN).join(', ');
  return further > 0 ? `${listed} and ${String(further)} more` : listed;
}

function schemesIn(root: PlainObject): PlainObject {
  const { components } = root;
  const schemes = isPlainObject(components) ? components['securitySchemes'] : undefined;
  return isPlainObject(schemes) ? schemes : {};
}

function readScheme(
  name: string,
  credential: OpenApiCredential,
  declared: PlainObject,
  { route, problems }: { readonly route: TokenRoute; readonly problems: ProblemList },
): Scheme | undefined {
  const give = readSecret(name, credential, problems);
  if (give === undefined) return undefined;
  const { type = typeIn(declared) } = credential;
  if (type === 'oauth2') {
    const tokens = createTokens(name, credential, declared, { route, problems });
    if (tokens === undefined) return undefined;
    const giveToken: Scheme['give'] = async (caller, call) => {
      const client = await give(caller, call);
      return client === undefined ? undefined : tokens.get(client);
    };
    return { type: 'bearer', in: 'header', name: 'authorization', give: giveToken };
  }
  const place = credential.in ?? PLACES.find((each) => each === declared['in']) ?? 'header';
  const key = typeof declared['name'] === 'string' ? declared['name'] : 'X-API-Key';
  return { type, in: place, name: credential.name ?? key, give };
}

const TOKEN_TIMEOUT = 30_000;

function createTokens(
  name: string,
  { tokenUrl, scopes = [] }: OpenApiCredential,
  declared: PlainObject,
  { route, problems }: { readonly route: TokenRoute; readonly problems: ProblemList },
): ClientTokens | undefined {
  const { baseUrl, fetch = globalThis.fetch, timeout = TOKEN_TIMEOUT } = route;
  const url = findTokenUrl(tokenUrl, declared, baseUrl);
  if (url !== undefined) return new ClientTokens({ url, scopes, fetch, timeout });
  problems.add('TW_OPENAPI_CREDENTIAL_MISSING', {
    where: `option credentials.${name}`,
    what: 'has no tokenUrl, and the document names none with https at the origin of the API.',
    fix: `${name}: { type: 'oauth2', tokenUrl: 'https://login.example/token', env: 'API_CLIENT' }`,
  });
  return undefined;
}

const PLACES = ['header', 'query', 'cookie'] as const;

/** What gives the credential; undefined where nothing does, which is reported. */
function readSecret(
  name: string,
  { value, env, for: give }: OpenApiCredential,
  problems: ProblemList,
): OpenApiCredential['for'] {
  const where = `option credentials.${name}`;
  if ([value, env, give].filter((source) => source !== undefined).length !== 1 || value === '') {
    const [what, fix] = ['has to have one of value, env and for.', `${name}: { env: 'API_TOKEN' }`];
    problems.add('TW_OPENAPI_CREDENTIAL_MISSING', { where, what, fix });
    return undefined;
  }
  if (env === undefined) return give ?? (() => value);
  const found = environmentVariable(env);
  if (found !== undefined && found !== '') return () => found;
  const [what, fix] = [`names the variable ${env}, which is not set.`, `set ${env} in the environment`];
  problems.add('TW_OPENAPI_CREDENTIAL_MISSING', { where, what, fix });
  return undefined;
}

/** What is not known is sent as most APIs take it: OAuth and OpenID Connect end in a bearer token. */
function typeIn({ type, scheme }: PlainObject): Scheme['type'] {
  if (type === 'apiKey') return 'apiKey';
  return type === 'basic' || (type === 'http' && /^basic$/i.test(String(scheme))) ? 'basic' : 'bearer';
}

function withCredential(
  request: HttpRequest,
  { type, in: place, name }: Scheme,
  secret: string,
): HttpRequest {
  const { headers, path } = request;
  const withHeader = (key: string, text: string): HttpRequest => ({
    ...request,
    headers: { ...headers, [key.toLowerCase()]: text },
  });
  if (type === 'bearer') return withHeader('authorization', `Bearer ${secret}`);
  if (type === 'basic') return withHeader('authorization', `Basic ${Buffer.from(secret).toString('base64')}`);
  if (place === 'header') return withHeader(name, secret);
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(secret)}`;
  if (place === 'query') {
    const [start = '', query = ''] = path.split(/\?(.*)/s);
    return { ...request, path: `${start}?${[...withoutName(query, '&', name), pair].join('&')}` };
  }
  const others = withoutName(headers['cookie'] ?? '', '; ', name).join('; ');
  return withHeader('cookie', others === '' ? pair : `${others}; ${pair}`);
}

/** The pairs of a query or a header of cookies, without those of a credential: a model has no say in that. */
function withoutName(pairs: string, separator: string, name: string): readonly string[] {
  const names = [name, encodeURIComponent(name)];
  return pairs.split(separator).filter((each) => each !== '' && !names.includes(each.split('=', 1)[0] ?? ''));
}
