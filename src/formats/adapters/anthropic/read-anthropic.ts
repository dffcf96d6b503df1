import type { CanonicalTool } from '../../canonical/canonical-tool.ts';
import type { Reading } from '../reading.ts';
import { defined } from '../tool-fields.ts';

/** Reads an Anthropic tool. */
export function readAnthropic(reading: Reading): CanonicalTool {
  const name = reading.name();
  const strict = reading.flag('strict');
  return defined({
    name,
    inputSchema: reading.schema('input_schema') ?? { type: 'object' },
    description: reading.text('description'),
    examples: reading.objects('input_examples'),
    source: {
      format: 'anthropic',
      extra: { ...(strict !== undefined && { strict }), ...reading.others },
    },
  });
}
