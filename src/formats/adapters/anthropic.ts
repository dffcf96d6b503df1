import { pointTo } from '../../schema/pointer.ts';
import { copyJson, isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { CanonicalTool } from '../canonical/canonical-tool.ts';
import { encodeArguments } from '../rewrite/decode.ts';
import { anthropic, anthropicStrict } from '../rewrite/targets.ts';
import { createAdapter } from './create-adapter.ts';
import type { FormatAdapter } from './format-adapter.ts';
import type { Reading } from './reading.ts';
import { defined, describeTool, NOT_FOR_MODELS, withProperties, type Writing } from './writing.ts';

/** Tools of Anthropic's Messages API. */
export const anthropicAdapter: FormatAdapter = createAdapter({
  name: 'anthropic',
  names: { rule: { forbidden: /[^A-Za-z0-9_-]/u, maxLength: 64 }, qualifies: true },
  target: (_options, strict) => (strict ? anthropicStrict : anthropic),
  read: readAnthropic,
  write: writeAnthropic,
});

function readAnthropic(reading: Reading): CanonicalTool {
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

function writeAnthropic(writing: Writing): PlainObject {
  const { strict: _strict, ...extra } = writing.extra();
  writing.lose([...NOT_FOR_MODELS, 'outputSchema']);
  const input = withProperties(writing.input());
  const examples = examplesOf(writing);
  return copyJson({
    name: writing.name,
    ...describeTool(writing),
    input_schema: input,
    ...(writing.target === anthropicStrict && { strict: true }),
    ...(examples.length > 0 && { input_examples: examples }),
    ...extra,
  });
}

/** The API checks examples against the schema it was given, so they take its form. */
function examplesOf(writing: Writing): readonly PlainObject[] {
  const { decoder, tool } = writing;
  const examples = tool.examples ?? [];
  const objects = examples.filter(isPlainObject);
  if (objects.length === 0) writing.lose(['examples']);
  else reportOthers(writing, examples);
  return objects.map((example) => (decoder === undefined ? example : encodeArguments(decoder, example)));
}

function reportOthers({ losses }: Writing, examples: readonly unknown[]): void {
  for (const [position, example] of examples.entries()) {
    if (isPlainObject(example)) continue;
    const path = pointTo('/examples', position);
    const outcome = 'an example that is not an object was removed.';
    losses.report({ feature: 'examples', path, action: 'dropped', outcome });
  }
}
