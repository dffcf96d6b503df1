import type { DesignType } from '../../metadata/design-types.ts';

/** Why a parameter's class is not known, and what makes the compiler emit it. */
interface TypeExplanation {
  readonly why: string;
  /** The change that makes the emitted type usable. */
  readonly repair: string;
}

type UnknownType = Exclude<DesignType, { kind: 'class' }>;

/** The settings with which a compiler emits parameter types, if it can. */
export const EMIT_TYPES = 'set "emitDecoratorMetadata": true in tsconfig.json (tsc, swc and oxc obey it)';

/** Describes a diagnosis by the observed type, without guessing. */
const explanations: {
  readonly [Kind in UnknownType['kind']]: (type: Extract<UnknownType, { kind: Kind }>) => TypeExplanation;
} = {
  notEmitted: () => ({
    why: 'the compiler wrote no parameter types: `emitDecoratorMetadata` is off, or it is esbuild or tsx, which never do.',
    repair: EMIT_TYPES,
  }),
  erased: () => ({
    why: 'its type is an interface, an alias, a union, a type parameter, `any`, or a class imported with `import type`.',
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

/** The explanation for a type of any kind but a known class. */
export function explain(type: UnknownType): TypeExplanation {
  const say = explanations[type.kind] as (type: DesignType) => TypeExplanation;
  return say(type);
}

/** The fix: naming the class in the code, or repairing its type. Where one setting repairs every place, that stands first. */
export function offerRepair({ kind }: UnknownType, explicit: string, repair: string): string {
  return kind === 'notEmitted' ? `${repair}, or ${explicit}` : `${explicit}, or ${repair}`;
}
