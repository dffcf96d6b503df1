import { refuseOptions } from '../errors/option-errors.ts';
import { ProblemList, type Problem } from '../errors/problem-list.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { Module, type DynamicModule, type LogFunction, type Logger } from '../index.ts';
import { identityFrom, warn, type IdentityOption } from '../operations/api-options.ts';
import { checkSettings } from '../operations/check-settings.ts';
import { withCurationFile } from '../operations/curation-file.ts';
import {
  CURATION_RULES,
  curate,
  type CurationOptions,
  type OfferedOperation,
} from '../operations/curation.ts';
import { upstreamCarrier, type FetchFunction } from '../operations/fetch-carrier.ts';
import { compileInputs } from '../operations/inputs.ts';
import { createControllers } from '../operations/operation-controllers.ts';
import type { Carrier } from '../operations/operation.ts';
import type { RequestForms } from '../operations/parameter-forms.ts';
import { isPlainObject } from '../shared/json.ts';
import { reachesLoopback } from '../shared/loopback.ts';
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
import { CREDENTIAL_RULES, Credentials, type OpenApiCredentials } from './credentials.ts';
import { OpenApiFault } from './openapi-fault.ts';
import { readDocument, type OpenApiDocument, type OpenApiSource } from './read-document.ts';
import { readAnswerSchema, readInputs } from './read-inputs.ts';
import { readOperations, type DocumentOperation } from './read-operations.ts';

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
  readonly auth?: OpenApiCredentials;
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
  /** Whether descriptions of fields are their first sentence, or all that the document says. Default `short`. */
  readonly texts?: 'short' | 'full';
  /** How often a request that may be repeated is sent again. Default 2. */
  readonly retries?: number;
  /** Milliseconds to the headers of an answer, and between the parts of its body. Default 30,000. */
  readonly timeout?: number;
  /** Bytes that an answer may have. Default 4 MiB. */
  readonly maxAnswerBytes?: number;
  /** Sends requests, and fetches the document. Default: that of the platform. */
  readonly fetch?: FetchFunction;
  /** Takes warnings about operations. Default: stderr. */
  readonly logger?: Logger | LogFunction;
}

const OPENAPI_RULES: OptionRules<OpenApiOptions> = {
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
  auth: rule(
    'an object of credentials by scheme, each with one of value, env and for',
    (value) =>
      isPlainObject(value) &&
      Object.values(value).every((each) => objectOf(CREDENTIAL_RULES).faultsOf(each, '').length === 0),
  ),
  carrier: aFunction,
  identity: either(oneOf('same-server', 'none'), aFunction),
  texts: oneOf('short', 'full'),
  retries: wholeNumber(0),
  timeout: positiveMilliseconds,
  maxAnswerBytes: wholeNumber(1),
  fetch: aFunction,
  logger: anything,
};

const WHERE = 'OpenApiModule.forRoot()';
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const TIMEOUT = 30_000;
const RETRIES = 2;

/**
 * The operations of an OpenAPI document as a module: the surface follows the document at each start.
 *
 * @example
 * import { McpApplication } from 'toolwright';
 * import { OpenApiModule } from 'toolwright/openapi';
 *
 * const api = await OpenApiModule.forRoot({
 *   document: './shop.openapi.json',
 *   baseUrl: 'https://api.shop.example/v1',
 *   include: ['orders.*', 'GET /customers/*'],
 *   auth: { token: { env: 'SHOP_TOKEN' } },
 * });
 * const app = await McpApplication.create(api);
 */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- it is the module, and users know `forRoot` of such
export class OpenApiModule {
  /**
   * Makes the module.
   * @throws ToolwrightError TW_OPENAPI_DOCUMENT, TW_OPENAPI_BASE_URL; ApplicationError with every problem of the operations
   */
  static async forRoot(given: OpenApiOptions): Promise<DynamicModule> {
    refuseOptions('TW_APPLICATION_OPTION', WHERE, given, OPENAPI_RULES);
    const options = withCurationFile(given) as OpenApiOptions;
    const { fetch = globalThis.fetch } = options;
    const document = await readDocument(options.document, fetch);
    const api = findApi(options, document);
    const problems = new ProblemList();
    const operations = readOperations(document);
    const { offered } = curate(operations, options, '', problems);
    const readable = readOffered(document, offered as readonly OfferedDocumentOperation[], options);
    const credentials = new Credentials(document.root, options.auth ?? {}, problems);
    const signers = new Map(readable.operations.map((each) => [each.key, credentials.signerFor(each)]));
    credentials.report(problems);
    checkSettings(readable.operations, problems);
    problems.throwIfAny(WHERE);
    for (const warning of readable.warnings) warn(options.logger, warning);
    return {
      module: OpenApiModule,
      controllers: createControllers(readable.operations, {
        ...api,
        identity: identityFrom(identityOption(options)),
        idempotencyHeader: options.idempotency?.toLowerCase(),
        openWorld: options.carrier === undefined,
        maxAnswerBytes: options.maxAnswerBytes ?? MAX_ANSWER_BYTES,
        routes: operations.map(({ method, path }) => ({ method, path })),
        queryForms: ({ key }) => readable.forms.get(key) ?? {},
        sign: ({ key }) => signers.get(key) ?? ((request) => request),
      }),
    };
  }
}
Module()(OpenApiModule);

type OfferedDocumentOperation = OfferedOperation & DocumentOperation;

interface ReadableOperations {
  readonly operations: readonly OfferedDocumentOperation[];
  readonly forms: ReadonlyMap<string, RequestForms>;
  readonly warnings: readonly Problem[];
}

/** What is wrong with one operation costs that operation, and not the document. */
function readOffered(
  { root }: OpenApiDocument,
  offered: readonly OfferedDocumentOperation[],
  { texts }: OpenApiOptions,
): ReadableOperations {
  const operations: OfferedDocumentOperation[] = [];
  const forms = new Map<string, RequestForms>();
  const warnings: Problem[] = [];
  for (const operation of offered) {
    try {
      const { settings } = operation;
      const isFull = texts === 'full';
      const read = readInputs(root, operation, { isFull });
      const answer = settings.output === true ? readAnswerSchema(root, operation) : undefined;
      const whole = Object.freeze({
        ...operation,
        inputs: read.inputs,
        ...(answer === undefined ? {} : { answer }),
      });
      compileInputs(whole, settings);
      operations.push(whole);
      forms.set(operation.key, read.forms);
    } catch (fault) {
      warnings.push(warningFor(operation, fault));
    }
  }
  return { operations, forms, warnings };
}

function warningFor({ key, pointer }: DocumentOperation, fault: unknown): Problem {
  const fix = `exclude: ['${key}'], or correct the document`;
  if (fault instanceof OpenApiFault)
    return {
      code: fault.code,
      where: `${key}, #${fault.pointer}`,
      what: `${fault.message}; it is not offered.`,
      fix,
    };
  if (!ToolwrightError.is(fault)) throw fault;
  return {
    code: 'TW_OPENAPI_OPERATION',
    where: `${key}, #${pointer}`,
    what: `${fault.message} It is not offered.`,
    fix,
  };
}

/** Where the API is, and what sends requests there. */
function findApi(
  options: OpenApiOptions,
  { servers }: OpenApiDocument,
): { readonly carrier: Carrier; readonly baseUrl?: string } {
  if (options.carrier !== undefined) return { carrier: options.carrier };
  const baseUrl = baseUrlFor(options, servers);
  const { timeout = TIMEOUT, retries = RETRIES, fetch = globalThis.fetch } = options;
  const keyHeader = options.idempotency?.toLowerCase();
  return { baseUrl, carrier: upstreamCarrier({ baseUrl, timeout, retries, fetch, keyHeader }) };
}

/** The servers of a document that was fetched are not its user's words. */
function baseUrlFor({ baseUrl, insecure = false }: OpenApiOptions, servers: readonly string[]): string {
  const given = baseUrl ?? (servers.length === 1 ? servers[0] : undefined);
  if (given === undefined) throw noBaseUrl('is missing, and the document does not name one server.');
  if (!URL.canParse(given)) throw noBaseUrl(`is ${JSON.stringify(given)}, which is not an absolute URL.`);
  const url = new URL(given);
  if (`${url.username}${url.search}${url.hash}` !== '') throw noBaseUrl('has a user, a query or a fragment.');
  const isPrivate = url.protocol === 'https:' || (url.protocol === 'http:' && reachesLoopback(url));
  if (isPrivate || (url.protocol === 'http:' && insecure)) return given;
  throw noBaseUrl(`is ${JSON.stringify(given)}, where credentials could be read on the way.`);
}

function noBaseUrl(what: string): ToolwrightError {
  return new ToolwrightError('TW_OPENAPI_BASE_URL', {
    where: `${WHERE}, option baseUrl`,
    what,
    fix: "baseUrl: 'https://api.example/v1'; insecure: true allows http on another machine",
  });
}

/** What was sent to this server is not sent to another one (spec: basic/authorization, Token Passthrough). */
function identityOption({ carrier, identity }: OpenApiOptions): IdentityOption {
  if (carrier !== undefined || identity !== 'same-server')
    return identity ?? (carrier === undefined ? 'none' : 'same-server');
  throw new ToolwrightError('TW_APPLICATION_OPTION', {
    where: `${WHERE}, option identity`,
    what: 'is "same-server", and the API is another server.',
    fix: 'auth: { scheme: { for: (caller) => … } }, with a token that was issued for the API',
  });
}
