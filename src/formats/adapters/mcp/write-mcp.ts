import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import type { CanonicalTool } from '../../canonical/canonical-tool.ts';
import { copyJson } from '../../canonical/copy-json.ts';
import type { RawSchema } from '../../../schema/subschemas.ts';
import { defined } from '../tool-fields.ts';
import type { Writing } from '../writing.ts';
import { metaOf } from './meta-fields.ts';

/** Writes an MCP tool. Its schemas stay as they are, in any dialect. */
export function writeMcp(writing: Writing): PlainObject {
  const { tool, name } = writing;
  const { meta: others, ...extra } = writing.extra();
  const meta = { ...(isPlainObject(others) && others), ...metaOf(tool) };
  return copyJson({
    ...extra,
    ...defined({
      name,
      title: tool.title,
      description: tool.description,
      inputSchema: objectOf(tool.inputSchema),
      outputSchema: tool.outputSchema === undefined ? undefined : objectOf(tool.outputSchema),
      annotations: annotationsOf(tool),
      icons: tool.icons,
    }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  });
}

/** The wire has no boolean schemas, and arguments always are objects. */
function objectOf(schema: RawSchema): PlainObject {
  if (typeof schema !== 'boolean') return schema;
  return schema ? { type: 'object' } : { type: 'object', not: {} };
}

function annotationsOf({ annotations, idempotent }: CanonicalTool): PlainObject | undefined {
  if (idempotent === undefined || annotations?.idempotentHint === idempotent) return annotations;
  return { ...annotations, idempotentHint: idempotent };
}
