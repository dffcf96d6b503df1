import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { copyJson } from '../../canonical/copy-json.ts';
import { encodeArguments } from '../../rewrite/encode-arguments.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { anthropicStrict } from '../../targets/anthropic-strict.ts';
import { describeTool, NOT_FOR_MODELS } from '../tool-fields.ts';
import { withProperties } from '../with-properties.ts';
import type { Writing } from '../writing.ts';

/** Writes an Anthropic tool. */
export function writeAnthropic(writing: Writing): PlainObject {
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
    const outcome = 'an example that is no object was removed.';
    losses.report({ feature: 'examples', path, action: 'dropped', outcome });
  }
}
