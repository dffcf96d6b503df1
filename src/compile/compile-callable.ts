import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ScannedCallable } from '../scanner/members/scanned-callable.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { compileChain, perCallKeys } from './compile-chain.ts';
import { compileInput } from './compile-input.ts';
import type { CompiledHandler, ResolveInput } from './handler-call.ts';
import { allContracts, explainContracts, type InputContracts } from './input-contracts.ts';
import { compileAttempt, type AttemptStages } from './stages.ts';

export interface CallableParts {
  readonly contracts: InputContracts;
  /** The common schemas, outermost first. */
  readonly common: readonly SchemaSource[];
  /** The argument that names the action; undefined where there is none. */
  readonly discriminator: string | undefined;
  /** The fields of all actions of the tool that the caller sees. */
  readonly toolFields?: ReadonlySet<string>;
  /** Makes of the arguments, as they come, what the check takes. */
  readonly read?: (resolve: ResolveInput) => ResolveInput;
}

/** What is bound to what is prepared: instances, and the stages of every call. */
export interface Binding {
  readonly resolver: InstanceResolver;
  readonly stages: AttemptStages;
}

/** Compiles what actions, prompts and resources have in common: input, chain and stages, each once. */
export function compileCallable(
  callable: ScannedCallable,
  { contracts, common, read = asItIs, ...place }: CallableParts,
  { resolver, stages }: Binding,
): CompiledHandler {
  const all = allContracts(contracts);
  const handler = {
    perCall: perCallKeys(callable, resolver),
    resolveInput: read(compileInput(contracts, { ...place, unknownFields: callable.unknownFields })),
    resolver,
  };
  const innermost = compileChain(callable, common, resolver);
  return {
    looseFields: Object.freeze(all.flatMap((contract) => contract.looseFields)),
    warnings: Object.freeze(all.flatMap((contract) => contract.warnings)),
    explain: () => explainContracts(contracts),
    ...handler,
    attempt: compileAttempt(callable, handler, innermost, stages),
  };
}

function asItIs(resolve: ResolveInput): ResolveInput {
  return resolve;
}
