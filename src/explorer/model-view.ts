import { defaultRegistry, ConversionError } from '../formats/index.ts';
import { countToolTokens } from '../tokens/index.ts';
import type { JsonObject, ModelTool, ModelView } from './contract.ts';

/** What a model is given of these tools, in the form of one API. @param tools as `tools/list` has them */
export async function modelView(tools: readonly JsonObject[], format: string): Promise<ModelView> {
  const registry = defaultRegistry();
  const formats = ['mcp', ...registry.list().filter((name) => name !== 'mcp')];
  const converted =
    format === 'mcp' ? { tools, warnings: [] } : registry.convertMany([...tools], 'mcp', format);
  const written = converted.tools as readonly object[];
  const counted = await countToolTokens(written);
  const shown = written.map((tool, index): ModelTool => {
    const text = JSON.stringify(tool);
    const { name = '', tokens = 0, parts = NO_PARTS } = counted.tools[index] ?? {};
    return { name, text, bytes: Buffer.byteLength(text), tokens, parts };
  });
  return {
    format,
    formats,
    tools: shown,
    bytes: Buffer.byteLength(JSON.stringify(written)),
    tokens: counted.tokens,
    isExact: format === 'mcp',
    of: counted.of,
    warnings: converted.warnings.map((warning) => ({ ...warning })),
  };
}

const NO_PARTS = Object.freeze({ description: 0, fieldTexts: 0, names: 0, values: 0, structure: 0 });

/** Whether there is such a form. */
export function isFormat(format: string): boolean {
  return format === 'mcp' || defaultRegistry().has(format);
}

/** Why the tools cannot be said in a form; undefined for any other error. */
export function conversionFault(error: unknown): string | undefined {
  return error instanceof ConversionError ? error.message : undefined;
}
