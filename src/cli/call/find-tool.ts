import type { McpApplication } from '../../index.ts';
import type { WireTool } from '../../model/index.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { visibleLine } from '../../shared/visible-text.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { CliError, EXIT } from '../output/cli-error.ts';

/** A tool that is to be called, with what its name says of the arguments. */
export interface FoundTool {
  readonly name: string;
  /** `{ action: 'create' }` of `tasks.create`. */
  readonly args: Readonly<Record<string, string>>;
  /** What the arguments are read by. */
  readonly schema: JsonSchema;
}

/**
 * Finds the tool of a name, or the tool and action of `tasks.create`.
 * @param given the other arguments; they may name the action as well
 * @returns undefined where there is none, which {@link unknownName} explains
 */
export function findTool(
  name: string,
  tools: readonly WireTool[],
  application: McpApplication | undefined,
  given: Readonly<Record<string, unknown>>,
): FoundTool | undefined {
  const whole = tools.find((tool) => tool.name === name);
  if (whole !== undefined) {
    const discriminator = discriminatorOf(whole, knownKeys(whole, application));
    const action = discriminator === undefined ? undefined : given[discriminator];
    return { name, args: {}, schema: schemaOf(whole, action, application) };
  }
  const { tool, action } = splitName(name, tools) ?? {};
  const discriminator = tool === undefined ? undefined : discriminatorOf(tool, knownKeys(tool, application));
  if (tool === undefined || action === undefined || discriminator === undefined) return undefined;
  if (!readTexts(tool, discriminator).includes(action)) return undefined;
  return { name: tool.name, args: { [discriminator]: action }, schema: schemaOf(tool, action, application) };
}

/**
 * The error for a name that nothing has: with the nearest name, and with what there is.
 * @param others the names of prompts and resources
 */
export function unknownName(name: string, tools: readonly WireTool[], others: readonly string[]): CliError {
  const { tool, action } = splitName(name, tools) ?? {};
  if (tool !== undefined && action !== undefined) return unknownAction(tool, action);
  const names = [...tools.map((each) => each.name), ...others];
  const nearest = didYouMean(name, [...names, ...callableNames(tools)]);
  return new CliError(
    'TW_CLI_NAME',
    {
      where: 'The server',
      what: `has no tool, prompt or resource ${JSON.stringify(name)}${nearest === undefined ? '.' : `; ${nearest}`}`,
      fix: names.length === 0 ? 'it offers nothing' : `one of ${few(names)}`,
    },
    EXIT.refused,
  );
}

/** The tool whose name a dotted name begins with, and the rest. */
function splitName(
  name: string,
  tools: readonly WireTool[],
): { readonly tool: WireTool; readonly action: string } | undefined {
  const parts = name.split('.');
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const tool = tools.find((each) => each.name === parts.slice(0, length).join('.'));
    if (tool !== undefined) return { tool, action: parts.slice(length).join('.') };
  }
  return undefined;
}

/** The names that can be called: tools, and actions of tools that group them. */
export function callableNames(tools: readonly WireTool[]): readonly string[] {
  return tools.flatMap((tool) => {
    const actions = actionsOf(tool);
    return actions.length === 0 ? [tool.name] : actions.map((action) => `${tool.name}.${action}`);
  });
}

/** The values of the argument that chooses an action; none for a tool that is one action by itself. */
function actionsOf(tool: WireTool): readonly string[] {
  const discriminator = discriminatorOf(tool);
  return discriminator === undefined ? [] : readTexts(tool, discriminator);
}

/** How servers of this package describe the argument that chooses an action, whatever its name. */
const DESCRIBED = /^(?:The action to run\b|One of the actions above$)/;

/**
 * The argument that chooses an action; undefined for a tool that is one action by itself.
 * @param keys of its actions, where they are known. Else it is the argument that is described as such, or named `action`
 */
export function discriminatorOf(tool: WireTool, keys?: ReadonlySet<string>): string | undefined {
  const candidates = (tool.inputSchema.required ?? []).filter((name) => readTexts(tool, name).length > 0);
  if (keys !== undefined)
    return candidates.find((name) => readTexts(tool, name).every((text) => keys.has(text)));
  const described = candidates.find((name) => DESCRIBED.test(propertiesOf(tool)[name]?.description ?? ''));
  return described ?? candidates.find((name) => name === 'action');
}

/** The texts that an argument may be; none where it may be anything else. */
export function readTexts(tool: WireTool, name: string): readonly string[] {
  const { enum: listed, const: only } = propertiesOf(tool)[name] ?? {};
  const values = listed ?? [only];
  return values.every((value) => typeof value === 'string') ? values : [];
}

function unknownAction(tool: WireTool, action: string): CliError {
  const actions = actionsOf(tool);
  const nearest = didYouMean(action, actions);
  return new CliError(
    'TW_CLI_NAME',
    {
      where: visibleLine(tool.name),
      what:
        actions.length === 0
          ? `has no actions, so there is no ${JSON.stringify(action)}.`
          : `has no action ${JSON.stringify(action)}${nearest === undefined ? '.' : `; ${nearest}`}`,
      fix: actions.length === 0 ? `call ${visibleLine(tool.name)} itself` : `one of ${few(actions)}`,
    },
    EXIT.refused,
  );
}

type Actions = ReturnType<McpApplication['definitions'][number]['actions']>;

/** An application knows the actions of its tools. */
function knownActions(tool: WireTool, application: McpApplication | undefined): Actions | undefined {
  return application?.definitions.find(({ name }) => name === tool.name)?.actions();
}

function knownKeys(tool: WireTool, application: McpApplication | undefined): ReadonlySet<string> | undefined {
  const actions = knownActions(tool, application);
  return actions && new Set(actions.map(({ key }) => key));
}

/** A server at a distance has one schema for all actions. */
function schemaOf(tool: WireTool, action: unknown, application: McpApplication | undefined): JsonSchema {
  const own = knownActions(tool, application)?.find(({ key }) => key === action);
  return own?.inputSchema ?? (tool.inputSchema as JsonSchema);
}

function propertiesOf(tool: WireTool): Readonly<Record<string, JsonSchema>> {
  return (tool.inputSchema as JsonSchema).properties ?? {};
}

const FEW = 20;

function few(names: readonly string[]): string {
  const shown = names.slice(0, FEW).map(visibleLine).join(', ');
  return names.length > FEW ? `${shown} and ${String(names.length - FEW)} more` : shown;
}
