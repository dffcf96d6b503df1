import { randomBytes } from 'node:crypto';
import { SafeLogger, type Logger } from '../call/logger.ts';
import type { AuthInfo, ClientDescription, RequestContext, Subject } from '../call/request-context.ts';
import { subjectKey, subjectOf } from '../call/subject.ts';
import type { CompiledHandler } from '../kernel/call/stage.ts';
import type { PlainObject } from '../shared/json.ts';
import { filledText, listOf, type OptionRules, rule, secret } from '../shared/option-rules.ts';
import {
  REDACTED,
  redactText,
  redactValue,
  SHORTEST_SECRET,
  type SensitiveValues,
} from '../errors/redact.ts';
import { deriveKeys, madeOf, signatureOf, type Secret, type Secrets } from '../shared/sealed-text.ts';
import type { VersionConstraints } from '../call/action-options.ts';
import type { Observation, ObservedRequest } from '../kernel/call/telemetry.ts';
import type { ToolFilter } from '../compile/tools/tool-filter.ts';

/** So many values are checked in a quarter of a second, whatever is wrong with them. */
export const MOST_ARGUMENT_NODES = 10_000;

/** How records about calls are logged. */
export interface CallLogging {
  /** Gets the whole of every error that a handler threw. */
  readonly logger: Logger;
  /** Registered secrets, which errors do not show. */
  readonly hidden?: readonly string[];
  /** Gives the name under which logs know a caller; undefined where they do not say it. */
  readonly hashSubject?: HashSubject;
}

type HashSubject = (subject: Subject) => string;

/** What an application or registry decides for all its calls. */
export interface RouteOptions extends CallLogging {
  readonly hidden: readonly string[];
  /** Replaces the text of errors that were not declared for clients by a reference id. */
  readonly maskErrors: boolean;
  /** Values that the arguments of a call may consist of. */
  readonly argumentNodes: number;
}

/** What one call of a registry decides for itself. */
export interface CallOptions {
  /** Hides tools and actions from this call, in addition to the filter of the registry. Default: none. */
  readonly filter?: ToolFilter;
  /** Which versions of actions it takes. Default: those that are listed. */
  readonly version?: VersionConstraints;
}

/** Secrets that no log record and no error shows. */
export interface RedactOptions {
  /**
   * Secrets of the application, such as its keys for other services: texts of at least 4 characters; undefined ones are
   * skipped. They are left out of log records, and of errors before a client gets them, as are the texts of `secrets`, the
   * credentials of the request, and the values of `@Sensitive()` fields of its call. Default: none. A shorter text is
   * `TW_APPLICATION_OPTION` or `TW_REGISTRY_OPTION`.
   *
   * @example
   * const app = await McpApplication.create(AppModule, { redact: { secrets: [process.env['BILLING_KEY']] } });
   */
  readonly secrets?: readonly (string | undefined)[];
  /**
   * The key of the hash that stands for a caller in log records (HMAC-SHA256 of issuer, client, person and tenant): the
   * same for each of its calls, and the `enduser.id` of spans that have the same key. Default: made of `secrets`, or
   * random for as long as the process runs.
   */
  readonly endUserKey?: string;
}

export const REDACT_RULES: OptionRules<RedactOptions> = {
  secrets: secret(
    listOf(
      rule(
        'a text of at least 4 characters',
        (value) => value === undefined || (typeof value === 'string' && value.length >= SHORTEST_SECRET),
      ),
    ),
  ),
  endUserKey: secret(filledText),
};

/** The secrets that are known before any call. */
export function registeredSecrets({
  redact = {},
  secrets = [],
}: {
  readonly redact?: RedactOptions;
  readonly secrets?: Secrets;
}): string[] {
  const known = typeof secrets === 'function' ? [] : secrets;
  return [...(redact.secrets ?? []), ...known].filter((each) => typeof each === 'string');
}

let ownSecrets: readonly Secret[] | undefined;

/** What counts until the process ends, where no secrets are set. Workers have random values while they answer only. */
function secretsOfProcess(): readonly Secret[] {
  ownSecrets ??= [randomBytes(32)];
  return ownSecrets;
}

/** Without the key, nobody can find out who a caller is. */
export function subjectHasher({
  redact = {},
  secrets = secretsOfProcess,
}: {
  readonly redact?: RedactOptions;
  readonly secrets?: Secrets;
}): HashSubject {
  let key: Secret | undefined = redact.endUserKey;
  return (subject) => {
    // Secrets that change leave it, so that a caller has one hash as long as the process lives
    key ??= madeOf(secrets, (now) => deriveKeys(now, 'log-subject'))()[0];
    return signatureOf(subjectKey(subject), key).toString('hex');
  };
}

/** A call, as far as it knows secrets, and is named in log records. */
export interface SecretSource extends Pick<RequestContext, 'authInfo' | 'header' | 'retry' | 'requestId'> {
  readonly args?: PlainObject;
  readonly target?:
    | {
        readonly handler: Pick<CompiledHandler, 'sensitive'> | undefined;
        readonly kind: string;
        readonly name: string | undefined;
        readonly action?: string;
      }
    | undefined;
  readonly observation?: Pick<Observation, 'trace'> | undefined;
  /** The sensitive values of its client's answers. */
  readonly hidden?: readonly SensitiveValues[] | undefined;
}

/** A request as its record needs it. What the engine answers has no origin. */
export interface LogSource extends SecretSource {
  readonly origin?: { readonly served: { readonly isLocal: boolean }; readonly task?: object };
  /** What its client said of itself. */
  client?(): ClientDescription;
}

/** What is known of a request of HTTP that was refused before anything was asked of the application. */
export interface RefusalFacts {
  /** Of the HTTP response. */
  readonly httpStatus: number;
  /** The code of the JSON-RPC error. */
  readonly status: number;
  /** Why its caller was refused, or by which limit. */
  readonly reason: string | undefined;
  readonly requestId: string | number | undefined;
}

/** Who sent it, as far as that is known. */
export interface RefusedSender {
  readonly authInfo?: AuthInfo | undefined;
  readonly headers: { get(name: string): string | null };
  /** Behind proxies that are trusted, that of the client. */
  readonly address: string | undefined;
}

/** Observes the requests of an application, those that the engine and HTTP answer among them. */
export interface RequestObserver {
  begin(request: ObservedRequest, call: LogSource): Observation;
  refused?(request: RefusalFacts, sender: RefusedSender): void;
}

/** `Cookie` may hold several. */
const HEADERS = ['authorization', 'x-api-key', 'cookie'];
/** Shorter parts of a header are the names of schemes and cookies. */
const SHORTEST_CREDENTIAL = 8;

/** What texts about a call must not show. It is asked for when something has gone wrong. */
export function secretsOf(
  call: Omit<SecretSource, 'requestId'> | undefined,
  registered: readonly string[],
): SensitiveValues {
  if (call === undefined) return registered;
  const { authInfo, retry, args = {}, target, hidden = [] } = call;
  const { sensitive } = target?.handler ?? {};
  const found = sensitive === undefined ? hidden : [sensitive.valuesIn(args), ...hidden];
  const sent = HEADERS.flatMap((name) => call.header(name)?.split(/[\s;,=]+/) ?? []);
  const credentials = sent.filter(({ length }) => length >= SHORTEST_CREDENTIAL);
  const sealed = [authInfo?.token, retry?.requestState].filter((each) => each !== undefined);
  const values = found.flatMap((each) => each ?? []);
  return found.includes(undefined) ? undefined : [...registered, ...credentials, ...sealed, ...values];
}

/** The arguments of a call as they may be written down: without sensitive values, secrets and credentials. */
export function writtenArguments(call: SecretSource, registered: readonly string[]): unknown {
  const { args = {}, target } = call;
  const shown = target?.handler?.sensitive?.shown(args) ?? args;
  const written = Object.hasOwn(shown, 'confirmation') ? { ...shown, confirmation: REDACTED } : shown;
  return redactValue(written, secretsOf(call, registered));
}

/** Of ids that clients choose. */
const LONGEST_ID = 256;

/** The members of log records that name what is called. */
const NAMES: Readonly<Record<string, string>> = { action: 'tool', prompt: 'prompt', resource: 'resource' };

/** What every log record about a call says of it. */
export function factsOf(
  call: Omit<SecretSource, 'requestId'> & { readonly requestId: SecretSource['requestId'] | undefined },
  { hidden = [], hashSubject }: CallLogging,
): object {
  const { requestId, target, authInfo, observation } = call;
  const member = NAMES[target?.kind ?? ''];
  const subject = subjectOf(authInfo);
  const facts = {
    requestId:
      typeof requestId === 'string'
        ? redactText(requestId.slice(0, LONGEST_ID), secretsOf(call, hidden))
        : requestId,
    ...(member === undefined ? {} : { [member]: target?.name, action: target?.action }),
    tenant: subject?.tenant,
    subject: subject && hashSubject?.(subject),
    ...observation?.trace,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** Logs about one call. */
export function loggerOfCall(call: SecretSource | undefined, logging: CallLogging): Logger {
  const { logger, hidden = [] } = logging;
  return call === undefined
    ? logger
    : new SafeLogger(
        logger,
        () => secretsOf(call, hidden),
        () => factsOf(call, logging),
      );
}
