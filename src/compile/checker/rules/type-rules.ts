import { plainRule, type InlineRule } from './inline-rule.ts';

/** Rules for the type of a value; boxed strings and booleans are left to class-validator. */
export const TYPE_RULES: Readonly<Record<string, InlineRule>> = {
  isString: plainRule('must be a string', {
    code: (x) => `typeof ${x} === "string"`,
    test: (x) => typeof x === 'string',
  }),
  isBoolean: plainRule('must be a boolean value', {
    code: (x) => `typeof ${x} === "boolean"`,
    test: (x) => typeof x === 'boolean',
  }),
  isInt: plainRule('must be an integer number', {
    code: (x) => `Number.isInteger(${x})`,
    test: (x) => Number.isInteger(x),
  }),
  isNumber: {
    says: 'must be a number conforming to the specified constraints',
    bind: ([options = {}]) => {
      if (typeof options !== 'object' || options === null || Object.keys(options).length > 0)
        return undefined;
      return { code: (x) => `Number.isFinite(${x})`, test: (x) => Number.isFinite(x), probes: [1e-7, 1e21] };
    },
  },
  isArray: plainRule('must be an array', {
    code: (x) => `Array.isArray(${x})`,
    test: (x) => Array.isArray(x),
  }),
  isObject: plainRule('must be an object', {
    code: (x) =>
      `((typeof ${x} === "object" || typeof ${x} === "function") && ${x} !== null && !Array.isArray(${x}))`,
    test: isObject,
  }),
  isNotEmptyObject: {
    says: 'must be a non-empty object',
    bind: ([options]) =>
      options === undefined || options === null
        ? {
            code: (x, use) => `${use(isNotEmptyObject)}(${x})`,
            test: isNotEmptyObject,
            probes: [{ a: null }],
          }
        : undefined,
  },
  isDate: plainRule('must be a Date instance', {
    code: (x) => `(${x} instanceof Date && !Number.isNaN(${x}.getTime()))`,
    test: (x) => x instanceof Date && !Number.isNaN(x.getTime()),
    probes: [new Date(0), new Date(Number.NaN)],
  }),
};

function isObject(x: unknown): boolean {
  return (typeof x === 'object' || typeof x === 'function') && x !== null && !Array.isArray(x);
}

// A class may have a method of that name, which the original then calls.
const inherited: unknown = Reflect.get(Object.prototype, 'hasOwnProperty');

function isNotEmptyObject(x: unknown): boolean {
  if (!isObject(x) || Reflect.get(x as object, 'hasOwnProperty') !== inherited) return false;
  for (const key in x as object) if (Object.hasOwn(x as object, key)) return true;
  return false;
}
