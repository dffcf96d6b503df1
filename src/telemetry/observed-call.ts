import {
  context,
  isSpanContextValid,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { createHmac } from 'node:crypto';
import {
  subjectKey,
  type CallPart,
  type Observation,
  type ObservedEnd,
  type ObservedNotification,
  type ObservedRequest,
} from '../index.ts';
import type { GaugeReading, Instruments } from './instruments.ts';
import type { OpenTelemetryOptions } from './options.ts';
import { readBaggage, readSpanContext, writeSpanContext } from './trace-context.ts';

/** What the observed calls of one application have in common. */
export interface Observer {
  readonly options: OpenTelemetryOptions;
  readonly tracer: Tracer;
  readonly instruments: Instruments;
  /** The codes of errors that metrics have seen: applications choose them. */
  readonly codes: Set<string>;
  /** The tenants that metrics have seen. */
  readonly tenants: Set<string>;
  /** The requests that run, the oldest first. */
  readonly running: Set<ObservedCall>;
  /** What gauges have shown of them. */
  readonly shown: Map<string, Attributes>;
}

/** Of texts that callers choose. */
const LONGEST_TEXT = 1024;
/** Codes of errors in metrics; further ones are `_OTHER`. */
const MOST_CODES = 200;

/** One request as a span, and its metrics. */
export class ObservedCall implements Observation {
  readonly #observer: Observer;
  readonly #request: ObservedRequest;
  readonly #begun = performance.now();
  /** Attributes of the span and of the metrics alike. */
  readonly #shared: Attributes;
  readonly #inner = new Map<CallPart, Span>();
  #span: Span;
  #context: Context;
  #isDetached = false;

  constructor(request: ObservedRequest, observer: Observer) {
    this.#observer = observer;
    this.#request = request;
    this.#shared = sharedAttributes(request);
    const { callTrace } = request;
    if (callTrace !== undefined) {
      this.#context = context.active();
      this.#span = this.#beginRun(readSpanContext((name) => callTrace[name]));
      return;
    }
    const { parent, links } = placeOf(request, observer.options);
    const { method, tool, prompt } = request;
    const target = tool ?? prompt;
    this.#span = observer.tracer.startSpan(
      target === undefined ? method : `${method} ${target}`,
      {
        kind: SpanKind.SERVER,
        attributes: { ...this.#shared, ...ownAttributes(request, observer.options) },
        links: [...links],
      },
      parent,
    );
    this.#context = trace.setSpan(parent, this.#span);
    observer.instruments.add('toolwright.calls.active', 1, this.#method);
    observer.running.add(this);
  }

  /** For how many seconds it runs, and what it calls. */
  get reading(): GaugeReading {
    const { method, tool, action, prompt } = this.#request;
    const attributes = withoutUndefined({
      'mcp.method.name': method,
      'gen_ai.tool.name': tool,
      'gen_ai.prompt.name': prompt,
      'toolwright.action.name': action,
    });
    const value = (performance.now() - this.#begun) / 1000;
    return { name: 'toolwright.calls.oldest', value, attributes };
  }

  get #method(): Attributes {
    return { 'mcp.method.name': this.#request.method };
  }

  /** Without an SDK for traces, spans have no ids. */
  get trace(): Observation['trace'] {
    const spanContext = this.#span.spanContext();
    const { traceId, spanId } = spanContext;
    return isSpanContextValid(spanContext) ? { traceId, spanId } : undefined;
  }

  run<Result>(work: () => Result): Result {
    return context.with(this.#context, work);
  }

  enter<Result>(part: CallPart, work: () => Result): Result {
    const isLayer = part.startsWith('middleware ');
    const around = isLayer ? this.#innermost() : this.#context;
    const span = this.#observer.tracer.startSpan(`toolwright.${part}`, {}, around);
    // Layers are left as they are entered, also where one stands in a chain twice
    if (!isLayer) this.#inner.set(part, span);
    const over = (isError: boolean): void => {
      if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
      if (isLayer) span.end();
      else this.#leave(part, span);
    };
    try {
      const result = context.with(trace.setSpan(around, span), work);
      if (result instanceof Promise)
        result.then(
          () => over(false),
          () => over(true),
        );
      else over(false);
      return result;
    } catch (thrown) {
      over(true);
      throw thrown;
    }
  }

  leave<Result>(part: CallPart, work: () => Result): Result {
    this.#leave(part, this.#inner.get(part));
    return context.with(this.#context, work);
  }

  inject(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const active = trace.getSpanContext(context.active()) ?? this.#span.spanContext();
    if (!isSpanContextValid(active)) return params;
    return { ...params, _meta: { ...(params['_meta'] as object | undefined), ...writeSpanContext(active) } };
  }

  async ask<Result>(method: string, work: () => Promise<Result>): Promise<Result> {
    const { tracer, instruments } = this.#observer;
    const { protocolVersion, sessionId } = this.#request;
    const asked = withoutUndefined({
      'mcp.method.name': method,
      'mcp.protocol.version': protocolVersion,
      'network.transport': this.#shared['network.transport'],
    });
    const attributes = withoutUndefined({ ...asked, 'mcp.session.id': sessionId });
    const around = trace.getSpanContext(context.active()) === undefined ? this.#context : context.active();
    const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, around);
    const begun = performance.now();
    let failure: Attributes = {};
    instruments.add('toolwright.questions.active', 1, { 'mcp.method.name': method });
    try {
      return await context.with(trace.setSpan(around, span), work);
    } catch (error) {
      failure = { 'error.type': readErrorType(error) };
      span.setAttributes(failure).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
      instruments.add('toolwright.questions.active', -1, { 'mcp.method.name': method });
      const seconds = (performance.now() - begun) / 1000;
      instruments.record('mcp.client.operation.duration', seconds, { ...asked, ...failure });
    }
  }

  detach(): void {
    const call = this.#span.spanContext();
    this.end(ACCEPTED);
    this.#span = this.#beginRun(isSpanContextValid(call) ? call : undefined);
  }

  end(end: ObservedEnd): void {
    const { options, instruments } = this.#observer;
    const attributes = endAttributes(end);
    if (options.attributes?.result === true && this.#request.tool !== undefined) {
      const text = end.resultText();
      if (text !== undefined) this.#span.setAttribute('gen_ai.tool.call.result', text);
    }
    this.#span.setAttributes(attributes);
    if (end.errorType !== undefined) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
    if (this.#isDetached) return;
    this.#observer.running.delete(this);
    instruments.add('toolwright.calls.active', -1, this.#method);
    const measured = { ...this.#shared, ...attributes, ...this.#boundedCodes(attributes) };
    const seconds = (performance.now() - this.#begun) / 1000;
    instruments.record('mcp.server.operation.duration', seconds, { ...measured, ...this.#boundedTenant() });
    if (end.size !== undefined) instruments.record('toolwright.response.size', end.size, this.#shared);
  }

  /** Of a task, which outlives its call: a trace of its own with a link. */
  #beginRun(call: SpanContext | undefined): Span {
    this.#isDetached = true;
    const { tool = '' } = this.#request;
    const span = this.#observer.tracer.startSpan(`toolwright.task ${tool}`, {
      root: true,
      links: call === undefined ? [] : [{ context: call }],
      attributes: this.#shared,
    });
    this.#context = trace.setSpan(trace.deleteSpan(this.#context), span);
    return span;
  }

  /** Where a middleware runs: in another one, or in what runs it. */
  #innermost(): Context {
    const active = context.active();
    const traceId = trace.getSpanContext(active)?.traceId;
    if (traceId === this.#span.spanContext().traceId) return active;
    const handler = this.#inner.get('handler');
    return handler === undefined ? this.#context : trace.setSpan(this.#context, handler);
  }

  #leave(part: CallPart, span: Span | undefined): void {
    if (span === undefined || this.#inner.get(part) !== span) return;
    this.#inner.delete(part);
    span.end();
  }

  #boundedTenant(): Attributes {
    const { options, tenants } = this.#observer;
    const tenant = options.metricTenants ? this.#request.subject?.tenant : undefined;
    if (tenant === undefined) return {};
    if (tenants.size < (options.metricTenants ?? 0)) tenants.add(tenant);
    return { 'toolwright.tenant': tenants.has(tenant) ? tenant : '_OTHER' };
  }

  #boundedCodes(attributes: Attributes): Attributes {
    const { codes } = this.#observer;
    const bounded = ['error.type', 'rpc.response.status_code', 'toolwright.error.code'].flatMap((name) => {
      const code = attributes[name];
      if (typeof code !== 'string') return [];
      if (codes.size < MOST_CODES) codes.add(code);
      return codes.has(code) ? [] : [[name, '_OTHER'] as const];
    });
    return Object.fromEntries(bounded);
  }
}

/** A notification of a client as a span and in the metrics: it has no answer, so both have no length. */
export function observeNotification(notification: ObservedNotification, observer: Observer): void {
  const { method, sessionId, address, port } = notification;
  const shared = { 'mcp.method.name': method, ...transportAttributes(notification) };
  const own = { 'mcp.session.id': sessionId, 'client.address': address, 'client.port': port };
  const { parent, links } = placeOf(notification, observer.options);
  const attributes = { ...shared, ...withoutUndefined(own) };
  observer.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes, links: [...links] }, parent).end();
  observer.instruments.record('mcp.server.operation.duration', 0, shared);
}

/** For each tool, action or method that is called: how long its oldest request runs. */
export function oldestCalls({ running, shown }: Observer): readonly GaugeReading[] {
  const oldest = new Map<string, GaugeReading>();
  for (const { reading } of running) {
    const key = JSON.stringify(reading.attributes);
    if (!oldest.has(key)) oldest.set(key, reading);
  }
  for (const [key, { attributes }] of oldest) shown.set(key, attributes);
  // The SDK would go on to show the last value of a series that is left out
  return [...shown].map(
    ([key, attributes]) => oldest.get(key) ?? { name: 'toolwright.calls.oldest', value: 0, attributes },
  );
}

/** The code of a JSON-RPC error that a client answered with. */
function readErrorType(error: unknown): string {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return Number.isInteger(code) ? String(code) : '_OTHER';
}

/** How the request of a task ends. */
const ACCEPTED: ObservedEnd = {
  errorType: undefined,
  status: undefined,
  errorCode: undefined,
  resultType: 'task',
  isReplayed: false,
  consent: undefined,
  size: undefined,
  resultText: () => undefined,
};

interface Place {
  readonly parent: Context;
  readonly links: readonly Link[];
}

/** Where the span of a request belongs. A stranger's context is a link: it must not decide what is sampled. */
function placeOf(
  request: Pick<ObservedRequest, 'meta' | 'header' | 'isAnonymous'>,
  { trace: mode = 'parent', baggage }: OpenTelemetryOptions,
): Place {
  const ambient = context.active();
  const around = trace.getSpanContext(ambient);
  const hasAround = around !== undefined && isSpanContextValid(around);
  if (mode === 'ignore') return { parent: ambient, links: [] };
  const readMeta = (name: string): unknown => request.meta[name];
  const readHeader = (name: string): unknown => request.header(name);
  const caller = readSpanContext(readMeta) ?? (hasAround ? undefined : readSpanContext(readHeader));
  if (caller === undefined) return { parent: ambient, links: [] };
  if (mode === 'link' || request.isAnonymous) return { parent: ambient, links: [{ context: caller }] };
  const passedOn = baggage === true ? readBaggage(readMeta) : undefined;
  const base = passedOn === undefined ? ambient : propagation.setBaggage(ambient, passedOn);
  return {
    parent: trace.setSpanContext(base, caller),
    links: hasAround ? [{ context: around }] : [],
  };
}

function sharedAttributes(request: ObservedRequest): Attributes {
  const { method, tool, action, prompt } = request;
  return withoutUndefined({
    'mcp.method.name': method,
    'gen_ai.operation.name': tool === undefined ? undefined : 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.prompt.name': prompt,
    'toolwright.action.name': action,
    ...transportAttributes(request),
  });
}

/** How something came, and in which revision. */
function transportAttributes({
  protocolVersion,
  carrier,
  httpVersion,
}: Pick<ObservedRequest, 'protocolVersion' | 'carrier' | 'httpVersion'>): Attributes {
  return withoutUndefined({
    'mcp.protocol.version': protocolVersion,
    'network.transport': carrier && { http: 'tcp', stdio: 'pipe' }[carrier],
    'network.protocol.name': carrier === 'http' ? 'http' : undefined,
    'network.protocol.version': httpVersion,
  });
}

/** What would make a series of metrics for each caller. */
function ownAttributes(request: ObservedRequest, { attributes = {} }: OpenTelemetryOptions): Attributes {
  const { requestId, uri, sessionId, address, port, subject, tool } = request;
  const { arguments: showsArguments, tenant, endUserKey } = attributes;
  return withoutUndefined({
    'jsonrpc.request.id': String(requestId).slice(0, LONGEST_TEXT),
    'mcp.resource.uri': uri?.slice(0, LONGEST_TEXT),
    'mcp.session.id': sessionId,
    'client.address': address,
    'client.port': port,
    'toolwright.tenant': tenant === true ? subject?.tenant : undefined,
    'enduser.id':
      endUserKey && subject && createHmac('sha256', endUserKey).update(subjectKey(subject)).digest('hex'),
    'gen_ai.tool.call.arguments':
      showsArguments === true && tool !== undefined ? request.argumentsText() : undefined,
  });
}

function endAttributes(end: ObservedEnd): Attributes {
  const { errorType, status, errorCode, resultType, isReplayed, consent } = end;
  return withoutUndefined({
    'error.type': errorType,
    'rpc.response.status_code': status === undefined ? undefined : String(status),
    'toolwright.error.code': errorCode,
    'toolwright.result.type': resultType,
    'toolwright.idempotency.replayed': isReplayed ? true : undefined,
    'toolwright.consent.kind': consent,
  });
}

function withoutUndefined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
