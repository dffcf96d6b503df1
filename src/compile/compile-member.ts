import type { CompletionContext } from '../call/completion.ts';
import type { ToolContext } from '../call/tool-context.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ScannedCallable, ScannedHandler } from '../scanner/scanned-callable.ts';
import type { ScannedCompletion } from '../scanner/scanned-prompt.ts';
import { metadataOf } from './compile-callable.ts';
import { perCallKeys, surround } from './compile-chain.ts';
import { compileHandler } from './compile-handler.ts';
import type { CompiledHandler, HandlerCall } from './handler-call.ts';

type Method = Extract<ScannedHandler, { kind: 'method' }>;

/** What a completing method is run with. */
export interface CompletionInput {
  readonly value: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** The methods that complete arguments, by the argument. Their input is a {@link CompletionInput}. */
export type Completers = ReadonlyMap<string, CompiledHandler>;

/** What a completing or listing method belongs to: the same middleware guards it, and it has as much time. */
type Owner = Pick<ScannedCallable, 'middleware' | 'metadata' | 'timeout'>;

/** Compiles the completing methods of a prompt or template. */
export function compileCompleters(
  owner: Owner & { readonly completions: readonly ScannedCompletion[] },
  resolver: InstanceResolver,
): Completers {
  return new Map(
    owner.completions.map(({ argument, handler }) => [argument, compileCompleter(owner, handler, resolver)]),
  );
}

/** Compiles the method that lists the resources of a template, or the prompts of a family. */
export function compileList(owner: Owner, method: Method, resolver: InstanceResolver): CompiledHandler {
  return member(owner, method, compileHandler(method, [], resolver), resolver);
}

function compileCompleter(owner: Owner, method: Method, resolver: InstanceResolver): CompiledHandler {
  const handler = { ...method, parameters: [{ kind: 'input' }, { kind: 'context' }] } as const;
  const complete = compileHandler(handler, [], resolver);
  return member(owner, handler, (call) => complete(completingCall(call)), resolver);
}

/** The method gets the text and a {@link CompletionContext}; middleware around it sees the call as any other. */
function completingCall(call: HandlerCall): HandlerCall {
  const { value, arguments: resolved } = call.input as CompletionInput;
  const context: CompletionContext = Object.freeze({
    arguments: resolved,
    call: call.context as ToolContext,
  });
  return { ...call, input: value, context };
}

/** A method whose input comes from the framework, within the middleware of its owner. */
function member(
  { middleware, metadata, timeout }: Owner,
  handler: Method,
  inner: CompiledHandler['invoke'],
  resolver: InstanceResolver,
): CompiledHandler {
  return Object.freeze({
    looseFields: Object.freeze([]),
    explain: () => [],
    warnings: Object.freeze([]),
    perCall: perCallKeys({ handler, middleware }, resolver),
    timeout,
    resolveInput: (input) => ({ ok: true, value: { input, common: [] } }),
    invoke: surround(middleware, inner, resolver),
    metadata: metadataOf(metadata),
    resolver,
  } satisfies CompiledHandler);
}
