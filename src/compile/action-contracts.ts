import type { ScannedAction, ScannedTool } from '../scanner/scanned-tool.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import type { Contract } from './contract.ts';
import type { ContractSource } from './contract-cache.ts';

/** The contracts that the arguments of one action are judged by. */
export interface ActionContracts {
  /** The tool's common schema, then those of the groups, outermost first. */
  readonly common: readonly Contract[];
  readonly own: Contract | undefined;
  /** Every declared name → the contract that judges it: the action's own, else the innermost common one. */
  readonly owners: ReadonlyMap<string, Contract>;
}

/**
 * Makes the contracts of an action. A name that an inner contract declares again is judged there alone,
 * so the outer contract is made without it.
 */
export function createActionContracts(
  tool: ScannedTool,
  action: ScannedAction,
  contractOf: ContractSource,
): ActionContracts {
  const { unknownFields, where } = action;
  const sources = [tool.common, ...action.groupCommon, action.input].filter((source) => source !== undefined);
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
  const own = action.input === undefined ? undefined : contracts.pop();
  return { common: contracts, own, owners: inDeclaredOrder(owners, [...contracts, own]) };
}

/** The common schemas of an action in the order of {@link ActionContracts.common}. */
export function commonSources(tool: ScannedTool, action: ScannedAction): readonly SchemaSource[] {
  return tool.common === undefined ? action.groupCommon : [tool.common, ...action.groupCommon];
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
