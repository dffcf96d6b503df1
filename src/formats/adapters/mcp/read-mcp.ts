import type { CanonicalTool } from '../../canonical/canonical-tool.ts';
import type { Reading } from '../reading.ts';
import { defined } from '../tool-fields.ts';
import { splitMeta } from './meta-fields.ts';

/** Reads an MCP tool. */
export function readMcp(reading: Reading): CanonicalTool {
  const name = reading.name();
  const annotations = reading.object('annotations');
  const { fields, others: meta } = splitMeta(reading.object('_meta') ?? {});
  const { title, idempotentHint } = annotations ?? {};
  return defined({
    name,
    inputSchema: reading.schema('inputSchema') ?? { type: 'object' },
    title: reading.text('title') ?? (typeof title === 'string' ? title : undefined),
    description: reading.text('description'),
    outputSchema: reading.schema('outputSchema'),
    annotations,
    idempotent: typeof idempotentHint === 'boolean' ? idempotentHint : undefined,
    icons: reading.objects('icons'),
    ...fields,
    source: {
      format: 'mcp',
      extra: { ...reading.others, ...(Object.keys(meta).length > 0 && { meta }) },
    },
  });
}
