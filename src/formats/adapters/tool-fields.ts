import type { CanonicalTool } from '../canonical/canonical-tool.ts';
import type { ToolField, Writing } from './writing.ts';
import { isEmpty } from './writing.ts';

/** Fields that only MCP has a place for. */
export const ONLY_MCP: readonly ToolField[] = [
  'category',
  'annotations',
  'icons',
  'uiHints',
  'deterministic',
  'idempotent',
  'streaming',
  'timeoutMs',
  'requiredScopes',
  'securitySchemes',
];

/** Fields that MCP and A2A have a place for, and model providers have not. */
export const NOT_FOR_MODELS: readonly ToolField[] = [
  ...ONLY_MCP,
  'version',
  'tags',
  'inputModes',
  'outputModes',
  'securityRequirements',
];

const TEXTS = ['description', 'summary', 'title'] as const;

/** The text that describes a tool, and the field it comes from. */
export function describing(tool: CanonicalTool): {
  readonly text: string | undefined;
  readonly field: (typeof TEXTS)[number] | undefined;
} {
  const field = TEXTS.find((each) => !isEmpty(tool[each]));
  return { field, text: field === undefined ? undefined : tool[field] };
}

/** The description for a target with one text only; the other texts are lost. */
export function describeTool(writing: Writing): { readonly description?: string } {
  const { text, field } = describing(writing.tool);
  writing.lose((['summary', 'title'] as const).filter((each) => each !== field));
  return text === undefined ? {} : { description: text };
}

/** The members that are defined: an optional member is absent, not undefined. */
export function defined<Members extends object>(
  members: Members,
): { [Key in keyof Members]: NonNullable<Members[Key]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Members]: NonNullable<Members[Key]> };
}
