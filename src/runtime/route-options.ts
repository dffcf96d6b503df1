import { SafeLogger, type Logger } from '../call/logger.ts';
import type { RequestContext } from '../call/request-context.ts';
import type { CompiledHandler } from '../compile/stages/stages.ts';
import type { PlainObject } from '../shared/json.ts';
import { listOf, type OptionRules, rule, secret } from '../shared/option-rules.ts';
import { SHORTEST_SECRET, type SensitiveValues } from '../errors/redact.ts';
import type { Secret } from '../shared/sealed-text.ts';
import type { VersionConstraints } from '../call/action-options.ts';
import type { ToolFilter } from '../compile/tools/tool-filter.ts';

/** So many values are checked in a quarter of a second, whatever is wrong with them. */
export const MOST_ARGUMENT_NODES = 100_000;

/** What an application or registry decides for all its calls. */
export interface RouteOptions {
  /** Replaces the text of errors that were not declared for clients by a reference id. */
  readonly maskErrors: boolean;
  /** Gets the whole of every error that a handler threw. */
  readonly logger: Logger;
  /** Registered secrets, which errors do not show. */
  readonly hidden: readonly string[];
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
};

/** The secrets that are known before any call. */
export function registeredSecrets({
  redact = {},
  secrets = [],
}: {
  readonly redact?: RedactOptions;
  readonly secrets?: readonly Secret[];
}): readonly string[] {
  return [...(redact.secrets ?? []), ...secrets].filter((each) => typeof each === 'string');
}

/** A call, as far as it knows secrets. */
export interface SecretiveCall extends Pick<RequestContext, 'authInfo' | 'header' | 'retry'> {
  readonly args?: PlainObject;
  readonly target?: { readonly handler: Pick<CompiledHandler, 'sensitiveIn'> | undefined } | undefined;
}

/** `Cookie` may hold several. */
const HEADERS = ['authorization', 'x-api-key', 'cookie'];
/** Shorter parts of a header are the names of schemes and cookies. */
const SHORTEST_CREDENTIAL = 8;

/** What texts about a call must not show. It is asked for when something has gone wrong. */
export function secretsOf(call: SecretiveCall | undefined, registered: readonly string[]): SensitiveValues {
  if (call === undefined) return registered;
  const { authInfo, retry, args = {}, target } = call;
  const { sensitiveIn = () => [] } = target?.handler ?? {};
  const sensitive = sensitiveIn(args);
  const sent = HEADERS.flatMap((name) => call.header(name)?.split(/[\s;,=]+/) ?? []);
  const credentials = sent.filter(({ length }) => length >= SHORTEST_CREDENTIAL);
  const sealed = [authInfo?.token, retry?.requestState].filter((each) => each !== undefined);
  return sensitive && [...registered, ...credentials, ...sealed, ...sensitive];
}

/** Logs about one call. */
export function loggerOfCall(call: SecretiveCall | undefined, { logger, hidden }: RouteOptions): Logger {
  return new SafeLogger(logger, () => secretsOf(call, hidden));
}
