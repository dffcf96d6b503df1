import type { RawSchema } from '../../schema/subschemas.ts';
import { copyJson, isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { CanonicalTool } from '../canonical/canonical-tool.ts';
import { openai, openaiStrict } from '../rewrite/targets.ts';
import { createAdapter } from './create-adapter.ts';
import type { FormatAdapter } from './format-adapter.ts';
import type { Reading } from './reading.ts';
import { defined, describeTool, NOT_FOR_MODELS, withProperties, type Writing } from './writing.ts';

const OPENAI_NAMES = { rule: { forbidden: /[^A-Za-z0-9_-]/u, maxLength: 64 }, qualifies: true };

/** Function tools of OpenAI's Chat Completions API. */
export const openaiAdapter: FormatAdapter = createAdapter({
  name: 'openai',
  names: OPENAI_NAMES,
  target: (_options, strict) => (strict ? openaiStrict : openai),
  read: readFunction('openai'),
  write: (writing) => {
    const { wrapper } = writing.extra();
    writing.lose(['outputSchema']);
    return { type: 'function', function: writeFunction(writing), ...(isPlainObject(wrapper) && wrapper) };
  },
});

/** Function tools of OpenAI's Responses API. */
export const openaiResponsesAdapter: FormatAdapter = createAdapter({
  name: 'openai-responses',
  names: OPENAI_NAMES,
  target: (_options, strict) => (strict ? openaiStrict : openai),
  read: readFunction('openai-responses'),
  write: (writing) => {
    // Results come from the tool, not from the model, so the schema is not strict
    const output = writing.output(openai);
    return {
      type: 'function',
      ...writeFunction(writing),
      ...(output !== undefined && { output_schema: output }),
    };
  },
});

/** Reads a function in the form of either API, or bare. */
function readFunction(format: string): (reading: Reading) => CanonicalTool {
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

/** The Responses API writes null for a missing schema. */
function optionalSchema(reading: Reading, key: string): RawSchema | undefined {
  return reading.has(key) ? reading.schema(key) : undefined;
}

/** What both APIs say about a function. `strict` is always there: the Responses API takes its absence for true. */
function writeFunction(writing: Writing): PlainObject {
  const { strict: _strict, wrapper: _wrapper, ...extra } = writing.extra();
  writing.lose([...NOT_FOR_MODELS, 'examples']);
  return copyJson({
    name: writing.name,
    ...describeTool(writing),
    parameters: withProperties(writing.input()),
    strict: writing.target === openaiStrict,
    ...extra,
  });
}
