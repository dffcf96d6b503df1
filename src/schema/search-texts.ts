import type { ObjectSchema } from '../shared/json-schema.ts';
import type { WeightedText } from '../shared/search/word-index.ts';
import { walkSchema } from './subschemas.ts';

/** How much the words of a tool or action count where it is looked for. */
const WEIGHTS = { key: 4, description: 2, field: 2, tag: 2, detail: 1 } as const;

/** What a search reads of a tool or action. */
export interface SearchedTool {
  /** Its name, or its key with the path of its group. */
  readonly key: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[];
  readonly inputSchema: ObjectSchema;
}

/** The words that a tool or action is found by. */
export function searchTexts(tool: SearchedTool): readonly WeightedText[] {
  const { key, title = '', description = '', tags = [], inputSchema } = tool;
  return [
    { text: key, weight: WEIGHTS.key },
    { text: `${title} ${description}`, weight: WEIGHTS.description },
    { text: tags.join(' '), weight: WEIGHTS.tag },
    ...fieldTexts(inputSchema),
  ];
}

/** The names, texts and values of all fields. */
function fieldTexts(root: ObjectSchema): readonly WeightedText[] {
  const texts: WeightedText[] = [];
  for (const { schema } of walkSchema(root)) {
    if (typeof schema === 'boolean') continue;
    const { properties, description, title, enum: values = [], const: value } = schema as ObjectSchema;
    for (const name of Object.keys(properties ?? {})) texts.push({ text: name, weight: WEIGHTS.field });
    for (const text of [description, title, value, ...values])
      if (typeof text === 'string') texts.push({ text, weight: WEIGHTS.detail });
  }
  return texts;
}
