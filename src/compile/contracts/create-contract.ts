import { isClass } from '../../shared/class-type.ts';
import { isStandardSchema, type SchemaSource } from '../../shared/schema-source.ts';
import { createClassContract } from './class-contract.ts';
import type { Contract, ContractOptions } from './contract.ts';
import { createJsonSchemaContract } from './json-schema-contract.ts';
import { createStandardContract } from './standard-contract.ts';

export type { ContractOptions } from './contract.ts';

/** Makes one contract of whatever describes an input. ArkType's schemas are functions, so they come first. */
export function createContract(source: SchemaSource, options: ContractOptions): Contract {
  if (isStandardSchema(source)) return createStandardContract(source, options);
  return isClass(source) ? createClassContract(source, options) : createJsonSchemaContract(source, options);
}
