import type { CheckExplanation } from '../../dto/check/explanation.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import type { ScannedCallable } from '../../scanner/members/scanned-callable.ts';
import { inlineReferences } from '../../schema/inline.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import { listFields, type FieldList } from '../fields/field-list.ts';
import type { Contract, ContractOptions, OutputContract } from './contract.ts';
import { createContract, createOutputContract } from './create-contract.ts';

/** The contracts of the arguments of one call. */
export interface InputContracts {
  /** In the order of the common schemas, outermost first. */
  readonly common: readonly Contract[];
  readonly own: Contract | undefined;
  /** Every declared name → the contract that checks it: the handler's own, else the innermost common one. */
  readonly owners: ReadonlyMap<string, Contract>;
}

/**
 * Creates each contract once: every action needs the common schema, and tools may share a DTO.
 * A source that cannot become a contract is reported for each place that uses it, and replaced by a contract without
 * fields.
 */
export class ContractCache {
  readonly #problems: ProblemList;
  readonly #isScanned: boolean;
  readonly #inputs = new Map<SchemaSource, Map<string, Contract>>();
  readonly #outputs = new Map<SchemaSource, OutputContract>();

  /** @param isScanned true if the scanner found no problems, so no class is checked again */
  constructor(problems: ProblemList, { isScanned = false }: Pick<ContractOptions, 'isScanned'> = {}) {
    this.#problems = problems;
    this.#isScanned = isScanned;
  }

  input(source: SchemaSource, options: ContractOptions): Contract {
    const ofSource = this.#inputs.get(source) ?? new Map<string, Contract>();
    this.#inputs.set(source, ofSource);
    const key = JSON.stringify([options.unknownFields, options.without ?? []]);
    try {
      const contract =
        ofSource.get(key) ?? createContract(source, { isScanned: this.#isScanned, ...options });
      ofSource.set(key, contract);
      return contract;
    } catch (thrown) {
      this.#problems.addThrown(thrown);
      return withoutFields(source);
    }
  }

  output(source: SchemaSource, where: string): OutputContract | undefined {
    try {
      const contract = this.#outputs.get(source) ?? createOutputContract(source, { where });
      this.#outputs.set(source, contract);
      return contract;
    } catch (thrown) {
      this.#problems.addThrown(thrown);
      return undefined;
    }
  }
}

/** Lets compile continue and find further problems; an application with a problem is never served. */
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

/**
 * Makes the contracts of a call. A name that an inner contract declares again is checked there alone,
 * so the outer contract is made without it.
 */
export function createInputContracts(
  { input, unknownFields, where }: Pick<ScannedCallable, 'input' | 'unknownFields' | 'where'>,
  common: readonly SchemaSource[],
  contracts: ContractCache,
): InputContracts {
  const sources = [...common, input].filter((source) => source !== undefined);
  const owners = new Map<string, Contract>();
  const made: Contract[] = [];
  for (const source of sources.reverse()) {
    const whole = contracts.input(source, { unknownFields, where });
    const taken = whole.names.filter((name) => owners.has(name));
    const contract =
      taken.length === 0 ? whole : contracts.input(source, { unknownFields, where, without: taken });
    for (const name of contract.names) owners.set(name, contract);
    made.unshift(contract);
  }
  const own = input === undefined ? undefined : made.pop();
  return Object.freeze({ common: made, own, owners: inDeclaredOrder(owners, [...made, own]) });
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

/** Those of the common schemas, then the handler's own. */
export function allContracts({ common, own }: InputContracts): readonly Contract[] {
  return own === undefined ? common : [...common, own];
}

/** Explains the checks of one input; a check that is not compiled yet is compiled first. */
export function explainContracts(contracts: InputContracts): readonly CheckExplanation[] {
  return Object.freeze(
    allContracts(contracts).flatMap(({ explanation }) => (explanation === undefined ? [] : [explanation])),
  );
}

const NO_FIELDS: FieldList = { fields: new Map<string, JsonSchema>(), required: new Set(), branches: [] };

/** The fields of an input that arrives as single arguments, references resolved. */
export function argumentFields({ own }: InputContracts, where: string, problems: ProblemList): FieldList {
  if (own === undefined) return NO_FIELDS;
  const { schema, definitions } = inlineReferences(own.schema, where, problems);
  return listFields(schema, definitions);
}
