import { Buffer } from 'node:buffer';
import { createHash, randomBytes } from 'node:crypto';
import { isPlainObject, parseJson, type PlainObject } from '../shared/json.ts';
import { createKeyring, type Keyring, type Secrets } from '../shared/sealed-text.ts';
import { visibleLine } from '../shared/visible-text.ts';
import { visibleText } from './visible-name.ts';
import type { Redirects } from './redirects.ts';

const MAX_ID_LENGTH = 900;
const MAX_REDIRECTS = 20;
const GRANTS = ['authorization_code', 'refresh_token'] as const;
const SECRET_METHODS = ['client_secret_basic', 'client_secret_post'];

/** Why a client is refused (RFC 7591, 3.2.2). */
export interface RegistrationFault {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';
  readonly error_description: string;
}

/** What a client says of itself, as far as it counts. */
export interface ClientMetadata {
  readonly client_name?: string;
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly application_type: 'native' | 'web';
  readonly token_endpoint_auth_method?: string;
  readonly token_endpoint_auth_signing_alg?: string;
  readonly jwks_uri?: string;
}

/** What is sealed in the id of a client. */
interface Registration {
  /** When, in seconds. */
  readonly i: number;
  readonly m: ClientMetadata;
  readonly s?: string;
}

export interface RegistrationPlace {
  readonly issuer: string;
  readonly secrets: Secrets;
  readonly redirects: Redirects;
  /** Says once to operators what was left out. */
  readonly warn: (message: string) => void;
}

/** Clients that register themselves: each is its own id, so nothing is stored and every instance knows it. */
export class Registrations {
  readonly #place: RegistrationPlace;
  readonly #keyring: Keyring;
  readonly #warned = new Set<string>();

  constructor(place: RegistrationPlace) {
    this.#place = place;
    this.#keyring = createKeyring(place.secrets, `sign-in:client:${place.issuer}`);
  }

  /**
   * The metadata of a registration or of a document, without what does not count here.
   * @param document the URL of the document
   */
  read(given: unknown, document?: string): ClientMetadata | RegistrationFault {
    if (!isPlainObject(given)) return invalid('the metadata is not an object');
    const { redirect_uris: uris, grant_types: grants = GRANTS } = given;
    if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS)
      return { error: 'invalid_redirect_uri', error_description: 'redirect_uris is a list of 1 to 20 URIs' };
    if (!Array.isArray(grants)) return invalid('grant_types is a list');
    const origin = document === undefined ? undefined : new URL(document).origin;
    const allowed = uris.filter((uri) => this.#place.redirects.allows(uri, origin));
    if (allowed.length < uris.length)
      this.#reportLeftOut(uris.find((uri) => !allowed.includes(uri as string)));
    if (allowed.length === 0) return noneAllowed();
    return {
      ...nameIn(given),
      redirect_uris: [...new Set(allowed)],
      grant_types: grantsIn(grants),
      response_types: ['code'],
      application_type: allowed.some((uri) => !uri.startsWith('https:')) ? 'native' : 'web',
      token_endpoint_auth_method: methodOf(given, document),
      ...named(given, 'token_endpoint_auth_signing_alg'),
      ...named(given, 'jwks_uri'),
    };
  }

  /** The document of a client, as oidc-provider may read it. */
  readDocument(given: unknown, url: string): PlainObject | RegistrationFault {
    const read = this.read(given, url);
    if ('error' in read || !isPlainObject(given)) return read as RegistrationFault;
    const kept = ['client_id', 'client_secret', 'client_secret_expires_at', 'jwks'] as const;
    const others = kept.flatMap((name) => (name in given ? [[name, given[name]] as const] : []));
    return { ...read, ...Object.fromEntries(others), ...methodIn(given) };
  }

  /** @returns undefined where it says too much */
  seal(metadata: ClientMetadata): { readonly id: string; readonly secret: string | undefined } | undefined {
    const needsSecret = SECRET_METHODS.includes(metadata.token_endpoint_auth_method ?? '');
    const secret = needsSecret ? randomBytes(24).toString('base64url') : undefined;
    const said: Registration = {
      i: Math.floor(Date.now() / 1000),
      m: metadata,
      ...(secret !== undefined && { s: secret }),
    };
    const id = this.#keyring.seal(Buffer.from(JSON.stringify(said)));
    return id.length > MAX_ID_LENGTH ? undefined : { id, secret };
  }

  /** Undefined for what this server has not sealed, and for a client that may be led back to nowhere any more. */
  open(id: string): { readonly [name: string]: unknown } | undefined {
    if (id.length > MAX_ID_LENGTH) return undefined;
    const content = this.#keyring.open(id);
    if (content === undefined) return undefined;
    const { i, m, s } = parseJson(Buffer.from(content).toString()) as Registration;
    // The option may have become stricter since
    const redirects = m.redirect_uris.filter((uri) => this.#place.redirects.allows(uri));
    if (redirects.length === 0) return undefined;
    const secret = s === undefined ? {} : { client_secret: s, client_secret_expires_at: 0 };
    return { ...m, redirect_uris: redirects, client_id: id, client_id_issued_at: i, ...secret };
  }

  #reportLeftOut(uri: unknown): void {
    const shown =
      typeof uri === 'string'
        ? visibleLine(JSON.stringify(uri.slice(0, 100)))
        : 'something other than a text';
    if (this.#warned.has(shown) || this.#warned.size >= 100) return;
    this.#warned.add(shown);
    this.#place.warn(
      `A client wants to lead people back to ${shown}, which auth.signIn.redirects does not allow.`,
    );
  }
}

/** How a client is called in tokens and logs: the id of one that registered itself is long. */
export function clientName(id: string): string {
  if (id.startsWith('https://') || id.length <= 64) return id;
  return `dcr-${createHash('sha256').update(id).digest('base64url').slice(0, 22)}`;
}

/** RFC 7591, 2; a document has no secret. */
function methodOf(given: PlainObject, document: string | undefined): string {
  const usual = document === undefined ? 'client_secret_basic' : 'none';
  return textIn(given, 'token_endpoint_auth_method') ?? usual;
}

/** Other grants are not for programs of people. */
function grantsIn(given: readonly unknown[]): readonly string[] {
  const known = GRANTS.filter((each) => given.includes(each));
  return known.includes('authorization_code') ? known : GRANTS;
}

function nameIn(given: PlainObject): { readonly client_name?: string } {
  const name = visibleText(given['client_name']);
  return name === '' ? {} : { client_name: name };
}

/** A document may list several methods in place of one. */
function methodIn(given: PlainObject): PlainObject {
  const listed = given['token_endpoint_auth_methods_supported'];
  const preferred = given['token_endpoint_auth_method'];
  if (typeof preferred === 'string' || !Array.isArray(listed)) return {};
  if (listed.includes('private_key_jwt')) return { token_endpoint_auth_method: 'private_key_jwt' };
  return listed.includes('none') ? { token_endpoint_auth_method: 'none' } : {};
}

function textIn(given: PlainObject, name: string): string | undefined {
  const value = given[name];
  return typeof value === 'string' ? value.slice(0, 100) : undefined;
}

function named(given: PlainObject, name: string): PlainObject {
  const value = given[name];
  return typeof value === 'string' && value.length <= 300 ? { [name]: value } : {};
}

function invalid(error_description: string): RegistrationFault {
  return { error: 'invalid_client_metadata', error_description };
}

function noneAllowed(): RegistrationFault {
  return {
    error: 'invalid_redirect_uri',
    error_description:
      'none of redirect_uris is allowed; the server lists further ones in auth.signIn.redirects',
  };
}
