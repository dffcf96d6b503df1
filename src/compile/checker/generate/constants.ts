import type { UseConstant } from '../rules/inline-rule.ts';

/** The values that generated code uses: none of them is ever written into its text. */
export interface Constants {
  readonly use: UseConstant;
  /** The statement that gives the values their names; `values` is the parameter that holds them. */
  readonly declaration: (parameter: string) => string;
  readonly values: readonly unknown[];
}

export function createConstants(): Constants {
  const names = new Map<unknown, string>();
  return {
    use: (value) => {
      const name = names.get(value) ?? `k${String(names.size)}`;
      // a map takes 0 and -0 for one key, which nothing here tells apart either
      names.set(value, name);
      return name;
    },
    declaration: (parameter) =>
      names.size === 0 ? '' : `const [${[...names.values()].join(', ')}] = ${parameter};`,
    get values() {
      return [...names.keys()];
    },
  };
}
