import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { RawSchema } from '../../schema/subschemas.ts';
import { copyJson } from '../canonical/copy-json.ts';
import { InvalidSchemaError } from '../../schema/schema-errors.ts';
import type { Losses } from '../loss/losses.ts';
import type { Conversion } from './conversion.ts';
import type { Decoder } from './decode-arguments.ts';
import { Rewriter } from './rewriter.ts';
import type { Target } from './rule.ts';
import { SourceSchema } from './source-schema.ts';

/** What is rewritten, for whom, and who hears of the losses. */
export interface RewriteRequest {
  /** Checked already. */
  readonly schema: RawSchema;
  /** The pointer to the schema in the canonical tool. */
  readonly path: '/inputSchema' | '/outputSchema';
  readonly target: Target;
  readonly conversion: Conversion;
  readonly losses: Losses;
}

/** An emitted schema, which belongs to the caller, and how to read the arguments that are made by it. */
export interface RewrittenSchema {
  readonly schema: PlainObject;
  readonly decoder: Decoder;
}

/** Rewrites a schema of the canonical tool for a target, by the matrix. */
export function rewriteSchema(request: RewriteRequest): RewrittenSchema {
  const { conversion, path } = request;
  try {
    return rewrite(request);
  } catch (error) {
    if (error instanceof InvalidSchemaError) return conversion.fail('INVALID_SCHEMA', error.path, error);
    throw error;
  }

  function rewrite({ schema, target, losses }: RewriteRequest): RewrittenSchema {
    if (schema === false)
      conversion.fail('ROOT_NOT_OBJECT', path, `${path} accepts nothing, not even an object.`);
    const source = new SourceSchema(schema === true ? {} : schema, path);
    const rewriter = new Rewriter(source, target, conversion, losses);
    const root = isPlainObject(source.root) ? source.root : {};
    const emitted = rewriter.rewriteRoot(root, path === '/inputSchema');
    return { schema: copyJson(emitted), decoder: { root: emitted, notes: rewriter.notes } };
  }
}
