import { membersOf } from '../../shared/json.ts';

/** Which primitives are listed as tools, too; `auto` for clients that are known not to read them. */
export interface PrimitivesAsTools {
  readonly resources: boolean | 'auto';
  readonly prompts: boolean | 'auto';
}

/** @param surface the option `surface` of an application */
export function readAsTools(surface: unknown): PrimitivesAsTools {
  const { asTools = false } = membersOf(surface);
  const { resources = false, prompts = false } =
    typeof asTools === 'object' ? membersOf(asTools) : { resources: asTools, prompts: asTools };
  return Object.freeze({ resources, prompts }) as PrimitivesAsTools;
}
