import type { UserDecorator } from '../call/user-decorator.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ScannedCallable } from '../scanner/scanned-callable.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { compileChain, perCallKeys } from './compile-chain.ts';
import { compileInput } from './compile-input.ts';
import type { CompiledHandler } from './handler-call.ts';
import { allContracts, explainContracts, type InputContracts } from './input-contracts.ts';

export interface CallableParts {
  readonly contracts: InputContracts;
  /** The common schemas, outermost first. */
  readonly common: readonly SchemaSource[];
  /** The argument that names the action; undefined where there is none. */
  readonly discriminator: string | undefined;
  /** The fields of all actions of the tool that the caller sees. */
  readonly toolFields?: ReadonlySet<string>;
}

/** Compiles what actions, prompts and resources have in common: input and chain, each once. */
export function compileCallable(
  callable: ScannedCallable,
  { contracts, common, ...place }: CallableParts,
  resolver: InstanceResolver,
): CompiledHandler {
  const all = allContracts(contracts);
  return {
    looseFields: Object.freeze(all.flatMap((contract) => contract.looseFields)),
    warnings: Object.freeze(all.flatMap((contract) => contract.warnings)),
    explain: () => explainContracts(contracts),
    perCall: perCallKeys(callable, resolver),
    timeout: callable.timeout,
    resolveInput: compileInput(contracts, { ...place, unknownFields: callable.unknownFields }),
    invoke: compileChain(callable, common, resolver),
    metadata: metadataOf(callable.metadata),
    resolver,
  };
}

/** Looks up what user decorators say. */
export function metadataOf(entries: ScannedCallable['metadata']): CompiledHandler['metadata'] {
  const values = new Map(entries.map((entry) => [entry.decorator, entry.value]));
  return <T>(decorator: UserDecorator<T>) => values.get(decorator as UserDecorator<unknown>) as T | undefined;
}
