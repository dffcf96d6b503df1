import type { ApplicationOptions, LogFunction, Logger } from '../index.ts';
import type { IdentityOption } from '../operations/api-options.ts';
import { CURATION_RULES, type CurationOptions } from '../operations/curation.ts';
import type { FetchFunction } from '../operations/http/fetch-carrier.ts';
import type { Carrier } from '../operations/operation.ts';
import { isPlainObject } from '../shared/json.ts';
import {
  aFunction,
  anything,
  either,
  filledText,
  objectOf,
  oneOf,
  positiveMilliseconds,
  required,
  rule,
  trueOrFalse,
  wholeNumber,
  type OptionRules,
} from '../shared/option-rules.ts';
import { CREDENTIAL_RULES, type OpenApiCredentials } from './credentials.ts';
import type { OpenApiSource } from './read-document.ts';

/** Which operations of a document become actions, where the API is, and how it is called. */
export interface OpenApiOptions extends CurationOptions {
  /**
   * The document: a file, its value, a function that makes it, or `{ url }`, which is fetched once at the start. Swagger 2.0
   * and OpenAPI 3.0 to 3.2, as JSON or YAML. Nothing that it refers to is read.
   */
  readonly document: OpenApiSource;
  /** Where the API is. Default: that of the document, where it is a file and names one absolute server. */
  readonly baseUrl?: string;
  /** Whether `baseUrl` may be without TLS on another machine. Default false. */
  readonly insecure?: boolean;
  /** Credentials, by the names of the document's security schemes. They are sent to `baseUrl` alone. Default: none. */
  readonly credentials?: OpenApiCredentials;
  /**
   * Sends the requests to an application of this process instead: `nodeCarrier(server)` or `fetchCarrier(app.fetch)`.
   * `baseUrl`, `fetch`, `timeout` and `retries` count for nothing then.
   */
  readonly carrier?: Carrier;
  /**
   * What an application in this process sees of the caller. `same-server`: the token of the MCP request, which was issued for
   * this server. A function: the headers that it gives. `none`: nothing. Default `same-server` with `carrier`; an API
   * elsewhere never sees what a client of this server has sent.
   */
  readonly identity?: IdentityOption;
  /** Whether descriptions of fields are their first sentence, or all that the document says. Default `first-sentence`. */
  readonly fieldTexts?: 'first-sentence' | 'full';
  /**
   * How the descriptions of tools say what actions take, as `describe` of an application does. Default: that of the application,
   * and where it says none `signatures`, which costs the fewest tokens.
   */
  readonly describe?: ApplicationOptions['describe'];
  /** How often a request that may be repeated is sent again. Default 2. */
  readonly retries?: number;
  /** Milliseconds to the headers of an answer, and between the parts of its body. Default 30,000. */
  readonly timeout?: number;
  /** Bytes that an answer may have. Default 4 MiB. */
  readonly maxAnswerBytes?: number;
  /**
   * Which addresses are connected to. `public`: none that is private, of the local network or of this machine, whatever a name stands
   * for; not together with `fetch`. Default `any`.
   */
  readonly network?: 'any' | 'public';
  /** Sends requests, and fetches the document. Default: that of the platform. */
  readonly fetch?: FetchFunction;
  /** Takes warnings about operations. Default: stderr. */
  readonly logger?: Logger | LogFunction;
}

export const OPENAPI_RULES: OptionRules<OpenApiOptions> = {
  ...CURATION_RULES,
  document: required(
    rule(
      'a file, an object, a function or { url }',
      (value) =>
        typeof value === 'function' || isPlainObject(value) || (typeof value === 'string' && value !== ''),
    ),
  ),
  baseUrl: filledText,
  insecure: trueOrFalse,
  credentials: rule(
    'an object of credentials by scheme, each with one of value, env and for',
    (value) =>
      isPlainObject(value) &&
      Object.values(value).every((each) => objectOf(CREDENTIAL_RULES).faultsOf(each, '').length === 0),
  ),
  carrier: aFunction,
  identity: either(oneOf('same-server', 'none'), aFunction),
  fieldTexts: oneOf('first-sentence', 'full'),
  describe: oneOf('plain', 'toon', 'signatures'),
  retries: wholeNumber(0),
  timeout: positiveMilliseconds,
  maxAnswerBytes: wholeNumber(1),
  network: oneOf('any', 'public'),
  fetch: aFunction,
  logger: anything,
};
