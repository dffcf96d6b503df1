import type { SchemaSource } from '../shared/schema-source.ts';
import type { Contract } from './contract.ts';
import { createContract, type ContractOptions } from './contracts/create-contract.ts';

/** Gives the contract of a source. */
export type ContractSource = (source: SchemaSource, options: ContractOptions) => Contract;

/** Makes each contract of a tool once: a common schema is asked for by every action. */
export function createContractCache(): ContractSource {
  const known = new Map<SchemaSource, Map<string, Contract>>();
  return (source, options) => {
    const ofSource = known.get(source) ?? new Map<string, Contract>();
    known.set(source, ofSource);
    const key = JSON.stringify([options.unknownFields, options.without ?? []]);
    const contract = ofSource.get(key) ?? createContract(source, options);
    ofSource.set(key, contract);
    return contract;
  };
}
