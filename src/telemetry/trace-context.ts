import {
  createTraceState,
  isSpanContextValid,
  propagation,
  type Baggage,
  type SpanContext,
} from '@opentelemetry/api';

/** Where a trace context comes from: `_meta`, or the headers of HTTP. */
type ReadText = (name: 'traceparent' | 'tracestate' | 'baggage') => unknown;

/** W3C Trace Context, 3.2.2; a later version begins alike. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** W3C Trace Context, 3.3.1. */
const LONGEST_STATE = 512;
const MOST_MEMBERS = 32;
/** W3C Baggage, 3.3.2; in bytes. */
const LONGEST_BAGGAGE = 8192;

/** The context of a caller; undefined for one that is not there, or not as it has to be. */
export function readSpanContext(read: ReadText): SpanContext | undefined {
  const text = read('traceparent');
  const [, traceId, spanId, flags] = (typeof text === 'string' && TRACEPARENT.exec(text)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  if (!isSpanContextValid(spanContext)) return undefined;
  const state = read('tracestate');
  const isSound =
    typeof state === 'string' && state.length <= LONGEST_STATE && state.split(',').length <= MOST_MEMBERS;
  return isSound ? { ...spanContext, traceState: createTraceState(state) } : spanContext;
}

/** The context of a span, for a message that belongs to it. */
export function writeSpanContext(spanContext: SpanContext): Readonly<Record<string, string>> {
  const { traceId, spanId, traceFlags, traceState } = spanContext;
  const state = traceState?.serialize() ?? '';
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    ...(state === '' ? {} : { tracestate: state }),
  };
}

/** W3C Baggage, 3.3.1: a key, its value, and properties, which are left out. */
const MEMBER = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([^\s,;]*)\s*(?:;.*)?$/;

/** What a caller wants to be passed on; undefined for what is not there, or too much. */
export function readBaggage(read: ReadText): Baggage | undefined {
  const text = read('baggage');
  if (typeof text !== 'string' || text.length > LONGEST_BAGGAGE) return undefined;
  if (new TextEncoder().encode(text).length > LONGEST_BAGGAGE) return undefined;
  const entries = text.split(',').flatMap((member) => {
    const [, key, value] = MEMBER.exec(member) ?? [];
    const decoded = value === undefined ? undefined : decode(value);
    return key === undefined || decoded === undefined ? [] : [[key, { value: decoded }] as const];
  });
  return entries.length === 0 ? undefined : propagation.createBaggage(Object.fromEntries(entries));
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
