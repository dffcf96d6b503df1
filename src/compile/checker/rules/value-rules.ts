import { plainRule, type BoundRule, type InlineRule } from './inline-rule.ts';

/** Rules for values of any type. */
export const VALUE_RULES: Readonly<Record<string, InlineRule>> = {
  isDefined: plainRule('should not be null or undefined', {
    code: (x) => `(${x} !== undefined && ${x} !== null)`,
    test: (x) => x !== undefined && x !== null,
  }),
  isEmpty: plainRule('must be empty', {
    code: (x) => `(${x} === "" || ${x} === null || ${x} === undefined)`,
    test: (x) => x === '' || x === null || x === undefined,
  }),
  isNotEmpty: plainRule('should not be empty', {
    code: (x) => `(${x} !== "" && ${x} !== null && ${x} !== undefined)`,
    test: (x) => x !== '' && x !== null && x !== undefined,
  }),
  equals: {
    says: 'must be equal to',
    bind: ([other]) => ({
      code: (x, use) => `${x} === ${use(other)}`,
      test: (x) => x === other,
      probes: [other],
    }),
  },
  notEquals: {
    says: 'should not be equal to',
    bind: ([other]) => ({
      code: (x, use) => `${x} !== ${use(other)}`,
      test: (x) => x !== other,
      probes: [other],
    }),
  },
  isIn: { says: 'must be one of the following values', bind: ([list]) => bindList(list, true) },
  isNotIn: { says: 'should not be one of the following values', bind: ([list]) => bindList(list, false) },
  isEnum: { says: 'must be one of the following values', bind: ([entity]) => bindEnum(entity) },
  isInstance: {
    says: 'must be an instance of',
    bind: ([type]) => {
      if (typeof type !== 'function') return undefined;
      return {
        code: (x, use) => `${x} instanceof ${use(type)}`,
        test: (x) => x instanceof type,
        probes: [type.prototype],
      };
    },
  },
};

/** `indexOf` compares with `===`, like the original, and reads the list as it is at that moment. */
function bindList(list: unknown, isMember: boolean): BoundRule | undefined {
  if (!Array.isArray(list)) return undefined;
  const values: readonly unknown[] = list;
  return {
    code: (x, use) => `${use(values)}.indexOf(${x}) ${isMember ? '!==' : '==='} -1`,
    test: (x) => (values.indexOf(x) !== -1) === isMember,
    probes: values.slice(0, 20),
  };
}

/** A member that was taken out of the object later on is refused; one that was added is found by class-validator. */
function bindEnum(entity: unknown): BoundRule | undefined {
  if (typeof entity !== 'object' || entity === null) return undefined;
  const members = entity as Readonly<Record<string, unknown>>;
  const keys = new Map(Object.keys(members).map((key) => [members[key], key] as const));
  const test = (x: unknown): boolean => {
    const key = keys.get(x);
    return key !== undefined && members[key] === x;
  };
  return {
    code: (x, use) => `${use(test)}(${x})`,
    test,
    probes: [...keys.keys(), ...keys.values()].slice(0, 40),
  };
}
