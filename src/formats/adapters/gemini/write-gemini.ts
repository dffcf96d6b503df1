import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { copyJson } from '../../canonical/copy-json.ts';
import { geminiOpenApi } from '../../targets/gemini-openapi.ts';
import { describeTool, NOT_FOR_MODELS } from '../tool-fields.ts';
import type { Writing } from '../writing.ts';
import { toOpenApi } from './to-open-api.ts';

/** Writes a Gemini tool with one function declaration. */
export function writeGemini(writing: Writing): PlainObject {
  const { wrapper, strict: _strict, ...extra } = writing.extra();
  const isOpenApi = writing.target === geminiOpenApi;
  const input = parametersOf(writing, isOpenApi);
  const output = writing.output();
  writing.lose([...NOT_FOR_MODELS, 'examples']);
  const declaration = {
    name: writing.name,
    ...describeTool(writing),
    ...(input !== undefined &&
      (isOpenApi ? { parameters: toOpenApi(input) } : { parametersJsonSchema: input })),
    ...(output !== undefined &&
      (isOpenApi ? { response: toOpenApi(output) } : { responseJsonSchema: output })),
    ...extra,
  };
  return copyJson({ functionDeclarations: [declaration], ...(isPlainObject(wrapper) && wrapper) });
}

/** Says nothing when it stands alone. */
const SILENT = new Set(['type', 'properties', 'required', 'additionalProperties', '$defs']);

/** Gemini takes no object without properties: a function without arguments has no parameters at all. */
function parametersOf(writing: Writing, isOpenApi: boolean): PlainObject | undefined {
  const schema = writing.input();
  const { properties, additionalProperties } = schema;
  if (isPlainObject(properties) && Object.keys(properties).length > 0) return schema;
  const more = Object.keys(schema).filter((keyword) => !SILENT.has(keyword));
  const isMap = isPlainObject(additionalProperties);
  const hasAlternatives = ['anyOf', 'oneOf', 'allOf'].some((keyword) => more.includes(keyword));
  if (!isOpenApi && (isMap || hasAlternatives)) return schema;
  for (const keyword of more) {
    const outcome = `${keyword} was removed with the schema, which names no property.`;
    writing.losses.report({ feature: keyword, path: `/inputSchema/${keyword}`, action: 'dropped', outcome });
  }
  return undefined;
}
