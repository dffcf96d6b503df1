import type { DesignType } from '../metadata/design-types.ts';

/** Why a parameter's class is not known, and what to write instead. */
export interface TypeExplanation {
  readonly why: string;
  /** What makes the emitted type usable; undefined when only an explicit class helps. */
  readonly repair: string;
}

/** Puts a diagnosis in words, by what was seen rather than by guessing. */
export const explainType: {
  readonly [Kind in Exclude<DesignType['kind'], 'class'>]: (
    type: Extract<DesignType, { kind: Kind }>,
  ) => TypeExplanation;
} = {
  notEmitted: () => ({
    why: 'the compiler emitted no parameter types (esbuild, tsx and type stripping do not).',
    repair: 'compile with tsc, swc or oxc',
  }),
  erased: () => ({
    why: 'its type is an interface, an alias, a union, `any`, or a class imported with `import type`.',
    repair: 'use a class, imported without `type`',
  }),
  function: () => ({
    why: 'its type is a class imported with `import type`, or a callback type.',
    repair: 'use a class, imported without `type`',
  }),
  circular: () => ({
    // swc writes `undefined` for `limit = 5` as well, where tsc writes Object
    why: 'its class did not exist yet (files import each other in a circle), or with swc it has a default value and no type.',
    repair: 'break the import circle, or write the type',
  }),
  primitive: ({ name }) => ({
    why: `its type is ${name}, and an input must be one class.`,
    repair: 'wrap it in a DTO class',
  }),
};

/** {@link explainType} for a type of any kind but a known class. */
export function explain(type: Exclude<DesignType, { kind: 'class' }>): TypeExplanation {
  const say = explainType[type.kind] as (type: DesignType) => TypeExplanation;
  return say(type);
}
