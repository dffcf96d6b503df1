import type { Condition } from './shape.ts';
import type { ValidationRecord } from './validation-metadata.ts';

type Test = (object: object, value: unknown) => unknown;

// Before 0.14.2 class-validator gave the condition of @IsOptional no name, only this text.
const NAMELESS_OPTIONAL = 'object[propertyName] !== null && object[propertyName] !== undefined';

/** `@IsOptional` and `@ValidateIf` of one property. */
export function readConditions(records: readonly ValidationRecord[]): readonly Condition[] {
  return Object.freeze(records.filter(({ type }) => type === 'conditionalValidation').map(readCondition));
}

function readCondition({ name, constraints, propertyName: property }: ValidationRecord): Condition {
  const original = constraints?.[0] as Test;
  const isOptional =
    name === 'isOptional' || (name === undefined && String(original).includes(NAMELESS_OPTIONAL));
  return Object.freeze({
    kind: isOptional ? 'optional' : 'validateIf',
    original,
    dependsOnOthers: !isOptional && readsOthers(original, property),
    test: (value: unknown, object: object) => {
      // the condition of @IsOptional reads the property of the object, not the value, and no other one
      const asked = isOptional ? { [property]: value } : withValue(object, property, value);
      return Boolean(original(asked, value));
    },
  });
}

function withValue(object: object, property: string, value: unknown): object {
  const copy = Object.create(Object.getPrototypeOf(object) as object | null) as object;
  return Object.assign(copy, object, { [property]: value });
}

/** Watches which properties a condition reads; one that looks at others cannot be checked alone. */
function readsOthers(test: Test, property: string): boolean {
  let others = false;
  const watched = new Proxy<object>(
    {},
    {
      get: (_, name) => {
        if (name !== property) others = true;
        return undefined;
      },
      has: (_, name) => {
        if (name !== property) others = true;
        return false;
      },
      ownKeys: () => {
        others = true;
        return [];
      },
    },
  );
  for (const value of [undefined, null, '', 'a', 0, 1]) {
    try {
      test(watched, value);
    } catch {
      // reading further into an absent property: the other values may still tell
    }
  }
  return others;
}
