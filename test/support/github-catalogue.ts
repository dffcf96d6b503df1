import { readFileSync } from 'node:fs';
import { createTool, type JsonSchema, type ObjectSchema } from 'toolwright';
import type { Describe, GroupedToolBuilder } from 'toolwright';

export interface PublicTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

/** What a person asks for, the tools that answer it, and the arguments that have to be in the call. */
export interface PublicRequest {
  readonly id: number;
  readonly tools: readonly string[];
  readonly args: Readonly<Record<string, unknown>>;
}

/** The 117 tools of a public server. */
export const GITHUB_TOOLS: readonly PublicTool[] = readData('github-tools.json');
export const GITHUB_REQUESTS: readonly PublicRequest[] = readData('github-requests.json');

function readData<Data>(file: string): Data {
  return JSON.parse(readFileSync(new URL(`../fixtures/${file}`, import.meta.url), 'utf8')) as Data;
}

const GROUPS: readonly (readonly [string, RegExp])[] = [
  ['notifications', /notification/],
  ['discussions', /discussion/],
  ['projects', /^projects_/],
  ['gists', /gist/],
  ['actions', /^actions_|job_logs/],
  ['security', /alert|advisor|code_quality/],
  ['pulls', /pull_request|review|copilot_review/],
  ['issues', /issue|label|find_duplicate|milestone/],
  ['people', /get_me|team|search_users|search_orgs|ui_get/],
  ['repos', /./],
];

export function groupOf({ name }: Pick<PublicTool, 'name'>): string {
  return GROUPS.find(([, names]) => names.test(name))?.[0] ?? '';
}

/** What each call gives: the tool that ran, and what it was called with. */
export interface RanTool {
  readonly tool: string;
  readonly input: unknown;
}

/** All tools as one: flat, or below their groups. */
export function buildGithub(describe: Describe, isGrouped: boolean): GroupedToolBuilder {
  const builder = createTool('github', { describe }).description('Repositories and what belongs to them');
  const actionOf = ({ name, description, inputSchema, annotations }: PublicTool) => ({
    name,
    description,
    input: inputSchema as JsonSchema,
    readOnly: annotations?.readOnlyHint === true,
    destructive: annotations?.destructiveHint === true,
    handler: (input: unknown): RanTool => ({ tool: name, input }),
  });
  if (!isGrouped) {
    for (const tool of GITHUB_TOOLS) builder.action(actionOf(tool));
    return builder;
  }
  for (const [group] of GROUPS)
    builder.group(group, (tools) => {
      for (const tool of GITHUB_TOOLS.filter((each) => groupOf(each) === group)) tools.action(actionOf(tool));
    });
  return builder;
}

/** A value that fits a schema; enough for what this catalogue has. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  const type = [schema.type].flat()[0];
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'array') return [exampleOf((schema.items ?? {}) as JsonSchema)];
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] as JsonSchema)]));
}
