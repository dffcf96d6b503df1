import type { PlainObject } from '../../../shared/json.ts';
import type { CanonicalTool } from '../../canonical/canonical-tool.ts';
import type { RawSchema } from '../../../schema/subschemas.ts';
import type { Reading } from '../reading.ts';
import { defined } from '../tool-fields.ts';

/** Reads a function in the form of either API, or bare. */
export function readFunction(format: string): (reading: Reading) => CanonicalTool {
  return (reading) => {
    const nested = reading.inner('function');
    const { type: _type, ...wrapper } = nested === undefined ? {} : reading.others;
    return readMembers(format, nested ?? reading, wrapper);
  };
}

function readMembers(format: string, reading: Reading, wrapper: PlainObject): CanonicalTool {
  const name = reading.name();
  const kind = reading.text('type');
  if (kind !== undefined && kind !== 'function') {
    const path = reading.pointTo('type');
    reading.conversion.fail('INVALID_INPUT', path, `a tool of type "${kind}" has no function to convert.`);
  }
  const strict = reading.flag('strict');
  return defined({
    name,
    inputSchema: optionalSchema(reading, 'parameters') ?? { type: 'object' },
    description: reading.text('description'),
    outputSchema: optionalSchema(reading, 'output_schema'),
    source: {
      format,
      extra: {
        ...(strict !== undefined && { strict }),
        ...reading.others,
        ...(Object.keys(wrapper).length > 0 && { wrapper }),
      },
    },
  });
}

/** The Responses API writes null for a schema that is not there. */
function optionalSchema(reading: Reading, key: string): RawSchema | undefined {
  return reading.has(key) ? reading.schema(key) : undefined;
}
