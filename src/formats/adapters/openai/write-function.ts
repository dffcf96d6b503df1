import type { PlainObject } from '../../../shared/json.ts';
import { copyJson } from '../../canonical/copy-json.ts';
import { openaiStrict } from '../../targets/openai-strict.ts';
import { describeTool, NOT_FOR_MODELS } from '../tool-fields.ts';
import type { Writing } from '../writing.ts';
import { withProperties } from '../with-properties.ts';

/** What both APIs say about a function. `strict` is always there: the Responses API takes its absence for true. */
export function writeFunction(writing: Writing): PlainObject {
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
