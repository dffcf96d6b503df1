import type { CompletionContext, ToolContext } from '../call/tool-context.ts';
import type { ScannedCompletion } from '../scanner/scan-completions.ts';
import type { ScannedCallable, ScannedHandler } from '../scanner/members/scanned-callable.ts';
import { metadataOf, type Binding } from './compile-callable.ts';
import { perCallKeys, surround } from './compile-chain.ts';
import { compileHandler } from './compile-handler.ts';
import type { CompiledHandler, HandlerCall, ResolveInput } from './handler-call.ts';
import { compileAttempt } from './stages.ts';

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
  binding: Binding,
): Completers {
  return new Map(
    owner.completions.map(({ argument, handler }) => [argument, compileCompleter(owner, handler, binding)]),
  );
}

/** Compiles the method that lists the resources of a template, or the prompts of a family. */
export function compileList(owner: Owner, method: Method, binding: Binding): CompiledHandler {
  return member(owner, method, compileHandler(method, [], binding.resolver), binding);
}

function compileCompleter(owner: Owner, method: Method, binding: Binding): CompiledHandler {
  const handler = { ...method, parameters: [{ kind: 'input' }, { kind: 'context' }] } as const;
  const complete = compileHandler(handler, [], binding.resolver);
  return member(owner, handler, (call) => complete(completingCall(call)), binding);
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

const takeInput: ResolveInput = (input) => ({ ok: true, value: { input, common: [] } });

/** A method whose input comes from the framework, within the middleware of its owner. */
function member(
  owner: Owner,
  handler: Method,
  inner: CompiledHandler['invoke'],
  { resolver, stages }: Binding,
): CompiledHandler {
  const { middleware, metadata } = owner;
  const parts = {
    perCall: perCallKeys({ handler, middleware }, resolver),
    resolveInput: takeInput,
    invoke: surround(middleware, inner, resolver),
    metadata: metadataOf(metadata),
    resolver,
  };
  return Object.freeze({
    looseFields: Object.freeze([]),
    explain: () => [],
    warnings: Object.freeze([]),
    ...parts,
    attempt: compileAttempt(owner, parts, stages),
  } satisfies CompiledHandler);
}
