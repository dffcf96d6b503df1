import type { ResolvedInput } from './handler-call.ts';
import type { Contract } from './contract.ts';

/**
 * Joins the checked parts to what the handler gets. An input of a class is an instance of that class
 * that carries the common fields, too; otherwise the parts are merged into one plain object.
 */
export function joinInput(
  contracts: readonly Contract[],
  values: readonly object[],
  hasOwn: boolean,
): ResolvedInput {
  const common = hasOwn ? values.slice(0, -1) : values;
  return { input: inputOf(contracts, values), common };
}

function inputOf(contracts: readonly Contract[], values: readonly object[]): unknown {
  const innermost = values.at(-1);
  if (innermost === undefined) return {};
  if (values.length === 1) return innermost;
  if (contracts.at(-1)?.type === undefined) return Object.assign({}, ...values) as object;
  const declared = new Set(contracts.at(-1)?.names);
  for (const outer of values.slice(0, -1).reverse()) addMissing(innermost, outer, declared);
  return innermost;
}

function addMissing(target: object, source: object, declared: Set<string>): void {
  for (const [name, value] of Object.entries(source)) {
    if (declared.has(name)) continue;
    declared.add(name);
    (target as Record<string, unknown>)[name] = value;
  }
}
