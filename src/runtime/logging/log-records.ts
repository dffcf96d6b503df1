import { randomBytes } from 'node:crypto';
import { SafeLogger, type Logger } from '../../call/logger.ts';
import type { AuthInfo, ClientDescription, Subject } from '../../call/request-context.ts';
import { subjectKey, subjectOf } from '../../call/subject.ts';
import { redactText } from '../../errors/redact.ts';
import type { Observation, ObservedRequest } from '../../kernel/call/telemetry.ts';
import { deriveKeys, madeOf, signatureOf, type Secret, type Secrets } from '../../shared/sealed-text.ts';
import { secretsOf, type RedactOptions, type SecretSource } from './call-secrets.ts';

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
