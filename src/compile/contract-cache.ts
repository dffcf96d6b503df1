import type { SchemaSource } from '../shared/schema-source.ts';
import type { Contract } from './contract.ts';
import type { ContractOptions } from './contracts/contract-options.ts';
import { createContract } from './contracts/create-contract.ts';
import { reportThrown } from './report-thrown.ts';
import type { Report } from './strategies/report.ts';

/** Gives the contract of a source. */
export type ContractSource = (source: SchemaSource, options: ContractOptions) => Contract;

/**
 * Makes each contract once: a common schema is asked for by every action, and tools may share a DTO.
 * A source that cannot become a contract is reported for each place that asks for it, and stands in as one without
 * fields.
 */
export function createContractCache(
  report: Report,
  { isScanned = false }: Pick<ContractOptions, 'isScanned'> = {},
): ContractSource {
  const known = new Map<SchemaSource, Map<string, Contract>>();
  return (source, options) => {
    const ofSource = known.get(source) ?? new Map<string, Contract>();
    known.set(source, ofSource);
    const key = JSON.stringify([options.unknownFields, options.without ?? []]);
    try {
      const contract = ofSource.get(key) ?? createContract(source, { isScanned, ...options });
      ofSource.set(key, contract);
      return contract;
    } catch (thrown) {
      reportThrown(thrown, report);
      return withoutFields(source);
    }
  };
}

/** Lets compile go on and find further problems; an application with a problem is never served. */
function withoutFields(source: SchemaSource): Contract {
  return {
    source,
    type: undefined,
    schema: { type: 'object' },
    names: [],
    redeclared: [],
    acceptsFurtherNames: false,
    looseFields: [],
    warnings: [],
    explanation: undefined,
    check: () => ({ ok: true, value: {} }),
  };
}
