import type { ScannedCallable } from '../scanner/scanned-callable.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import type { ContractSource } from './contract-cache.ts';
import type { Contract } from './contract.ts';

/** The contracts that the arguments of one call are judged by. */
export interface InputContracts {
  /** In the order of the common schemas, outermost first. */
  readonly common: readonly Contract[];
  readonly own: Contract | undefined;
  /** Every declared name → the contract that judges it: the handler's own, else the innermost common one. */
  readonly owners: ReadonlyMap<string, Contract>;
}

/**
 * Makes the contracts of a call. A name that an inner contract declares again is judged there alone,
 * so the outer contract is made without it.
 */
export function createInputContracts(
  { input, unknownFields, where }: Pick<ScannedCallable, 'input' | 'unknownFields' | 'where'>,
  common: readonly SchemaSource[],
  contractOf: ContractSource,
): InputContracts {
  const sources = [...common, input].filter((source) => source !== undefined);
  const owners = new Map<string, Contract>();
  const contracts: Contract[] = [];
  for (const source of sources.reverse()) {
    const whole = contractOf(source, { unknownFields, where });
    const taken = whole.names.filter((name) => owners.has(name));
    const contract =
      taken.length === 0 ? whole : contractOf(source, { unknownFields, where, without: taken });
    for (const name of contract.names) owners.set(name, contract);
    contracts.unshift(contract);
  }
  const own = input === undefined ? undefined : contracts.pop();
  return { common: contracts, own, owners: inDeclaredOrder(owners, [...contracts, own]) };
}

function inDeclaredOrder(
  owners: ReadonlyMap<string, Contract>,
  contracts: readonly (Contract | undefined)[],
): ReadonlyMap<string, Contract> {
  const ordered = new Map<string, Contract>();
  for (const contract of contracts) {
    for (const name of contract?.names ?? []) {
      const owner = owners.get(name);
      if (owner !== undefined) ordered.set(name, owner);
    }
  }
  return ordered;
}
