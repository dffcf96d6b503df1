import type { StandardSchema } from '../../shared/schema-source.ts';
import { isZod, type ZodSchema } from './zod-schema.ts';

/**
 * The schema of zod without some of its top-level fields; what comes under their names passes as it is.
 * Unlike `.omit()`, it keeps refinements. Undefined where the schema is none of zod, or of another kind.
 */
export function omitFromZod(schema: unknown, names: readonly string[]): StandardSchema | undefined {
  try {
    return omit(schema, names);
  } catch {
    return undefined;
  }
}

function omit(schema: unknown, names: readonly string[]): ZodSchema | undefined {
  if (!isZod(schema)) return undefined;
  const { def } = schema._zod;
  switch (def.type) {
    case 'object':
      return omitFields(schema, names);
    case 'pipe': {
      const input = omit(def.in, names);
      if (input !== undefined) return schema.clone({ ...def, in: input });
      const output = omit(def.out, names);
      return output && schema.clone({ ...def, out: output });
    }
    case 'intersection': {
      const [left, right] = [omit(def.left, names), omit(def.right, names)];
      return left && right && schema.clone({ ...def, left, right });
    }
    default:
      return undefined;
  }
}

function omitFields(schema: ZodSchema, names: readonly string[]): ZodSchema {
  const { def } = schema._zod;
  const shape = Object.fromEntries(Object.entries(def.shape ?? {}).filter(([name]) => !names.includes(name)));
  const rest = schema.clone({ ...def, shape });
  const isClosed =
    def.catchall === undefined || (isZod(def.catchall) && def.catchall._zod.def.type === 'never');
  return isClosed ? (rest.loose?.() ?? rest) : rest;
}
