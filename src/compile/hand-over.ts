import type { Contract } from './contract.ts';

/** A field that an outer contract declares, too, and whose value the inner one decides. */
interface HandOver {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Finds the fields that are declared again further in. @param contracts outermost first */
export function planHandOvers(
  contracts: readonly Contract[],
  owners: ReadonlyMap<string, Contract>,
): readonly HandOver[] {
  return contracts.flatMap(({ redeclared }, to) =>
    redeclared.flatMap((name) => {
      const from = contracts.findIndex((contract) => contract === owners.get(name));
      return from < 0 ? [] : [{ name, from, to }];
    }),
  );
}

/** Gives the outer values what the inner ones decided, so that a common instance is whole. */
export function handOver(plan: readonly HandOver[], values: readonly object[]): void {
  for (const { name, from, to } of plan) {
    const target = values[to] as Record<string, unknown>;
    const source = values[from] as Record<string, unknown>;
    if (Object.hasOwn(source, name)) target[name] = source[name];
    else Reflect.deleteProperty(target, name);
  }
}
