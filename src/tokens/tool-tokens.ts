import { isPlainObject } from '../shared/json.ts';
import { ENCODING, loadTokenizer, type CountTokens } from './tokenizer.ts';

/** What the tokens of a tool are spent on. */
export interface TokenParts {
  /** What the tool says of itself. */
  readonly description: number;
  /** What its fields say of themselves. */
  readonly fieldTexts: number;
  /** The names of the tool and of its fields. */
  readonly names: number;
  /** The values that fields are limited to. */
  readonly values: number;
  /** Everything else: types, limits, braces, quotation marks. */
  readonly structure: number;
}

/** What one tool costs. */
export interface ToolTokens {
  /** The name of the tool. */
  readonly name: string;
  /** The tokens of all tools less those of all others. */
  readonly tokens: number;
  /** What its tokens are spent on; they add up to them. */
  readonly parts: TokenParts;
}

/** What a list of tools costs. */
export interface SurfaceTokens {
  /** The tokens of the whole list. */
  readonly tokens: number;
  /** What the figures are figures of, such as `o200k_base of the compact JSON`. */
  readonly of: string;
  /** In the order of the list. */
  readonly tools: readonly ToolTokens[];
}

/** A tool in any form that has a name somewhere: that of MCP, or that of a model's API. */
type CountedTool = Readonly<Record<string, unknown>>;

/**
 * Counts the tokens of tools in their compact JSON, in the encoding o200k_base. The figures are exact for it; what a
 * provider makes of tools before its model reads them is its own, so for a provider they are an estimate. `execution`
 * and `title` do not count: clients read them, and no model.
 *
 * @example
 * const { tokens } = await countToolTokens(app.definitions);
 */
export async function countToolTokens(tools: readonly object[]): Promise<SurfaceTokens> {
  const count = await loadTokenizer();
  const counted = tools.map((tool) => seenByModel(tool as CountedTool));
  const texts = counted.map((tool) => JSON.stringify(tool));
  return {
    tokens: count(`[${texts.join(',')}]`),
    of: `${ENCODING} of the compact JSON`,
    tools: counted.map((tool, index) => toolTokens(tool, texts, index, count)),
  };
}

/** A tool costs the same in the list of each revision, in `definitions` and in what is exported. */
function seenByModel({ execution: _execution, title: _title, ...tool }: CountedTool): CountedTool {
  return tool;
}

function toolTokens(
  tool: CountedTool,
  texts: readonly string[],
  index: number,
  count: CountTokens,
): ToolTokens {
  const tokens = tokensAmong(texts, index, count);
  const parts = collectTexts(tool);
  const sum = (list: readonly string[]): number => list.reduce((total, text) => total + count(text), 0);
  const description = sum(parts.descriptions);
  const fieldTexts = sum(parts.fieldTexts);
  const names = sum(parts.names);
  const values = sum(parts.values);
  const structure = Math.max(0, tokens - description - fieldTexts - names - values);
  return { name: nameOf(tool), tokens, parts: { description, fieldTexts, names, values, structure } };
}

/** No token reaches over a whole tool: with its two neighbours, the difference is that of the whole list. */
function tokensAmong(texts: readonly string[], index: number, count: CountTokens): number {
  const near = texts.slice(Math.max(0, index - 1), index + 2);
  const without = near.toSpliced(Math.min(index, 1), 1);
  return count(`[${near.join(',')}]`) - count(`[${without.join(',')}]`);
}

function nameOf(tool: CountedTool): string {
  const { name } = describedIn(tool);
  return typeof name === 'string' ? name : '';
}

/** What has the name and the description: the function of an OpenAI tool, the declaration of a Gemini tool, or the tool. */
function describedIn(tool: CountedTool): CountedTool {
  const { function: inner, functionDeclarations: declarations } = tool;
  const described: unknown = Array.isArray(declarations) ? declarations[0] : inner;
  return isPlainObject(described) ? described : tool;
}

interface Texts {
  readonly descriptions: string[];
  readonly fieldTexts: string[];
  readonly names: string[];
  readonly values: string[];
}

function collectTexts(tool: CountedTool): Texts {
  const texts: Texts = { descriptions: [], fieldTexts: [], names: [], values: [] };
  for (const [member, value] of Object.entries(describedIn(tool))) {
    if (member === 'name' && typeof value === 'string') texts.names.push(value);
    else if (member === 'description' && typeof value === 'string') texts.descriptions.push(value);
    else collectSchemaTexts(value, texts);
  }
  return texts;
}

function collectSchemaTexts(node: unknown, texts: Texts): void {
  if (Array.isArray(node)) for (const item of node) collectSchemaTexts(item, texts);
  if (!isPlainObject(node)) return;
  for (const [member, value] of Object.entries(node)) {
    if (member === 'description' && typeof value === 'string') texts.fieldTexts.push(value);
    else if (member === 'enum' && Array.isArray(value))
      texts.values.push(...value.map((item) => JSON.stringify(item)));
    else if (member === 'properties' && isPlainObject(value)) {
      texts.names.push(...Object.keys(value));
      for (const schema of Object.values(value)) collectSchemaTexts(schema, texts);
    } else collectSchemaTexts(value, texts);
  }
}
