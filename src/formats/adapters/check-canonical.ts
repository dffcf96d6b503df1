import { isPlainObject } from '../../shared/json.ts';
import type { CanonicalTool } from '../canonical/canonical-tool.ts';
import { copyJson } from '../canonical/copy-json.ts';
import type { Conversion } from '../rewrite/conversion.ts';
import { checkInputSize, readSchema } from './reading.ts';

/** A copy of a canonical tool, of which everything that adapters rely on was checked. */
export function checkCanonical(conversion: Conversion, tool: unknown): CanonicalTool {
  if (!isPlainObject(tool)) return conversion.fail('INVALID_INPUT', '', 'the canonical tool is no object.');
  const { name, inputSchema = { type: 'object' }, outputSchema, source, ...fields } = tool;
  if (typeof name !== 'string' || name === '') {
    return conversion.fail('NAME_REQUIRED', '/name', 'the tool has no name.');
  }
  const checked = {
    inputSchema: readSchema(conversion, inputSchema, '/inputSchema'),
    ...(outputSchema !== undefined && {
      outputSchema: readSchema(conversion, outputSchema, '/outputSchema'),
    }),
  };
  checkInputSize(conversion, [fields, source], '');
  for (const [field, isRight] of Object.entries(FIELDS)) {
    const value = fields[field];
    if (value === undefined || isRight(value)) continue;
    return conversion.fail('INVALID_INPUT', `/${field}`, `/${field} is of the wrong kind.`);
  }
  return { ...copyJson(fields), name, ...checked, ...sourceOf(source) };
}

function sourceOf(source: unknown): Pick<CanonicalTool, 'source'> {
  if (!isPlainObject(source)) return {};
  const { format, extra } = source;
  return {
    source: {
      format: typeof format === 'string' ? format : 'canonical',
      extra: isPlainObject(extra) ? copyJson(extra) : {},
    },
  };
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  namespace: isText,
  version: isText,
  title: isText,
  description: isText,
  summary: isText,
  category: isText,
  tags: isTexts,
  inputModes: isTexts,
  outputModes: isTexts,
  requiredScopes: isTexts,
  examples: Array.isArray,
  icons: Array.isArray,
  securityRequirements: Array.isArray,
  annotations: isPlainObject,
  uiHints: isPlainObject,
  securitySchemes: isPlainObject,
};
