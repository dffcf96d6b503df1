import type { CompiledHandler } from '../../kernel/call/stage.ts';
import type { Observation } from '../../kernel/call/telemetry.ts';
import type { RequestContext } from '../../call/request-context.ts';
import { REDACTED, redactValue, SHORTEST_SECRET, type SensitiveValues } from '../../errors/redact.ts';
import type { PlainObject } from '../../shared/json.ts';
import { filledText, listOf, type OptionRules, rule, secret } from '../../shared/option-rules.ts';
import type { Secrets } from '../../shared/sealed-text.ts';

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
