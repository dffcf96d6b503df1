import type { PlainObject } from '../../../shared/json.ts';
import type { CanonicalTool } from '../../canonical/canonical-tool.ts';
import type { RawSchema } from '../../../schema/subschemas.ts';
import { Conversion } from '../../rewrite/conversion.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { readObject, type Reading } from '../reading.ts';
import { defined } from '../tool-fields.ts';
import { fromOpenApi } from './from-open-api.ts';

const LIST = 'functionDeclarations';

/** Reads a Gemini tool with one declaration, or a bare declaration. */
export function readGemini(reading: Reading): CanonicalTool {
  const declarations = reading.items(LIST);
  if (declarations === undefined) return readDeclaration(reading, {});
  const [only, ...more] = declarations;
  if (more.length > 0) {
    const what = `the tool has ${String(declarations.length)} declarations, not one.`;
    reading.conversion.fail('MULTIPLE_DECLARATIONS', pointTo('', LIST), what);
  }
  if (only === undefined) {
    return reading.conversion.fail('INVALID_INPUT', pointTo('', LIST), 'the tool has no declaration.');
  }
  return readDeclaration(only, reading.others);
}

/**
 * One tool for each declaration of a Gemini tool.
 *
 * @example
 * const tools = splitDeclarations({ functionDeclarations: [{ name: 'read' }, { name: 'write' }] });
 * const canonical = tools.map((tool) => defaultRegistry().get('gemini').toCanonical(tool));
 * @throws ConversionError for what is no Gemini tool
 */
export function splitDeclarations(raw: unknown): readonly PlainObject[] {
  const reading = readObject(new Conversion('gemini', 'toCanonical'), raw);
  const declarations = reading.objects(LIST);
  const { others } = reading;
  return declarations === undefined
    ? [others]
    : declarations.map((declaration) => ({ ...others, [LIST]: [declaration] }));
}

function readDeclaration(reading: Reading, wrapper: PlainObject): CanonicalTool {
  const name = reading.name();
  return defined({
    name,
    inputSchema: readPair(reading, 'parametersJsonSchema', 'parameters') ?? { type: 'object' },
    description: reading.text('description'),
    outputSchema: readPair(reading, 'responseJsonSchema', 'response'),
    source: {
      format: 'gemini',
      extra: { ...reading.others, ...(Object.keys(wrapper).length > 0 && { wrapper }) },
    },
  });
}

function readPair(reading: Reading, json: string, openApi: string): RawSchema | undefined {
  if (reading.has(json) && reading.has(openApi)) {
    const what = `${json} and ${openApi} exclude each other.`;
    reading.conversion.fail('INVALID_INPUT', reading.pointTo(openApi), what);
  }
  if (reading.has(json)) return reading.schema(json);
  const schema = reading.has(openApi) ? reading.schema(openApi) : undefined;
  return schema === undefined ? undefined : fromOpenApi(schema);
}
