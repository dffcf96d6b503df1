import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import type { InnerSpan } from '../index.ts';
import {
  filledText,
  listOf,
  objectOf,
  objectWith,
  oneOf,
  secret,
  trueOrFalse,
  wholeNumber,
  type OptionRules,
} from '../shared/option-rules.ts';

/** What spans show of calls only where it is asked for. Sensitive values and registered secrets are never shown. */
export interface OptInAttributes {
  /** The arguments of tools as JSON: `gen_ai.tool.call.arguments`. Default false. */
  readonly arguments?: boolean;
  /** The results of tools as JSON: `gen_ai.tool.call.result`. Default false. */
  readonly result?: boolean;
  /** The tenant of the caller: `toolwright.tenant`. Default false. */
  readonly tenant?: boolean;
  /**
   * A secret. With it, `enduser.id` is the caller as a keyed hash (HMAC-SHA256 of issuer, client, person and tenant), the
   * same for each of its calls. Default: spans do not say who calls.
   */
  readonly endUserKey?: string;
}

/** Options of `openTelemetry`. */
export interface OpenTelemetryOptions {
  /**
   * What the trace context of a caller becomes (`traceparent` in `_meta`, or in the headers of HTTP): the parent of the span,
   * a link of it, or nothing. That of an anonymous caller is a link at most, so that nobody unknown decides what is
   * sampled. Default `parent`.
   */
  readonly trace?: 'parent' | 'link' | 'ignore';
  /**
   * Parts of calls that have a span of their own: `toolwright.authorize`, `toolwright.validate`, `toolwright.consent`,
   * `toolwright.handler` with its middleware, and `toolwright.middleware AuditTrail` for each middleware. Default: none.
   */
  readonly spans?: readonly InnerSpan[];
  /** What else spans show. Default: nothing. */
  readonly attributes?: OptInAttributes;
  /**
   * How many tenants `mcp.server.operation.duration` has by name, as `toolwright.tenant`: those that call first, and others
   * are `_OTHER`. Each makes series of its own. Default 0: metrics have no tenant.
   */
  readonly metricTenants?: number;
  /** Whether the `baggage` of callers that are known is passed on to what handlers call. Default false. */
  readonly baggage?: boolean;
  /** Makes the spans. Default: the provider that is registered globally. */
  readonly tracerProvider?: TracerProvider;
  /** Makes the metrics. Default: the provider that is registered globally. */
  readonly meterProvider?: MeterProvider;
}

const ATTRIBUTE_RULES: OptionRules<OptInAttributes> = {
  arguments: trueOrFalse,
  result: trueOrFalse,
  tenant: trueOrFalse,
  endUserKey: secret(filledText),
};

export const OPEN_TELEMETRY_RULES: OptionRules<OpenTelemetryOptions> = {
  trace: oneOf('parent', 'link', 'ignore'),
  spans: listOf(oneOf('authorize', 'validate', 'consent', 'handler', 'middleware')),
  attributes: objectOf(ATTRIBUTE_RULES),
  metricTenants: wholeNumber(0),
  baggage: trueOrFalse,
  tracerProvider: objectWith('a tracer provider', 'getTracer'),
  meterProvider: objectWith('a meter provider', 'getMeter'),
};
