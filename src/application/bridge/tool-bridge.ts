import { failureResult, withAvailable } from '../../call/result-helpers.ts';
import type { CallToolResult } from '../../call/results.ts';
import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import type { TargetOptions } from '../../formats/adapters/format-adapter.ts';
import type { AdapterRegistry, ConvertedSet, SetWarning } from '../../formats/adapter-registry.ts';
import { nearestName } from '../../shared/did-you-mean.ts';
import { CALL_FORMS, type CallFormat } from './call-forms.ts';
import { deferAnthropic, deferOpenAi } from './deferred-tools.ts';
import { memberReader, type ToolUse } from './model-call.ts';

/** Runs a tool by its name in the application, through the whole pipeline. */
type CallTool = (tool: string, args: unknown) => Promise<CallToolResult>;

/** What of an application is exported. */
interface BridgeSource {
  readonly definitions: readonly ToolDefinition[];
  readonly call: CallTool;
}

/** The tools of an application in the format of one provider, with a dispatcher for the calls of its model. */
export interface ExportedTools {
  /** In the order in which clients see them; pass them to the provider unchanged. */
  readonly tools: readonly unknown[];
  /** What the provider's format cannot express. */
  readonly warnings: readonly SetWarning[];
  /**
   * Runs a call of the model and returns the result, both in the provider's format. A mistake of the model becomes an
   * error result, so that it can repair the call.
   * @throws ConversionError for what is not a call in this form.
   */
  dispatch(call: unknown): Promise<unknown>;
}

/** The formats whose models can search for tools, and what they are sent. */
const DEFERRED_FORMS: Partial<Readonly<Record<CallFormat, typeof deferOpenAi>>> = {
  'openai-responses': deferOpenAi,
  anthropic: deferAnthropic,
};

/** Whether the models of a format can search for tools. */
export function canDefer(format: string): boolean {
  return Object.hasOwn(DEFERRED_FORMS, format);
}

/**
 * Writes the tools for a provider once, and reads the calls of its model.
 * @param deferred whether the model searches for them, where it can
 */
export function bridgeTools(
  format: CallFormat,
  { definitions, call: run }: BridgeSource,
  adapters: AdapterRegistry,
  options: TargetOptions,
  deferred: boolean,
): ExportedTools {
  const { names, ...converted } = adapters.convertMany(definitions, 'mcp', format, options);
  const { tools, warnings } = deferred ? deferSet(format, converted, definitions, options) : converted;
  const form = CALL_FORMS[format];
  const reader = memberReader(format);
  return Object.freeze({
    tools,
    warnings,
    dispatch: async (raw: unknown) => {
      const call = form.read(raw, reader);
      return form.write(call, await answerUse(call, names, run, definitions));
    },
  });
}

type WrittenSet = Pick<ConvertedSet, 'tools' | 'warnings'>;

function deferSet(
  format: CallFormat,
  set: WrittenSet,
  definitions: readonly ToolDefinition[],
  { ignore = [] }: TargetOptions,
): WrittenSet {
  const written = DEFERRED_FORMS[format]?.(set.tools as readonly { name: string }[], definitions);
  if (written === undefined) return set;
  const further = written.warnings.filter(({ feature }) => !ignore.includes(feature));
  return { tools: Object.freeze(written.tools), warnings: Object.freeze([...set.warnings, ...further]) };
}

/** Runs the call of a model. What is wrong with it becomes an error result. */
export async function answerUse(
  { name, args, fault }: ToolUse,
  names: ConvertedSet['names'],
  run: CallTool,
  definitions: readonly ToolDefinition[],
): Promise<CallToolResult> {
  const tool = names.toToolId(name);
  if (tool === undefined) return unknownName(name, names, definitions);
  if (fault !== undefined) return failureResult({ code: 'INVALID_ARGUMENTS', message: fault, tool });
  return run(tool, names.decodeArguments(name, args));
}

function unknownName(
  name: string,
  names: ConvertedSet['names'],
  definitions: readonly ToolDefinition[],
): CallToolResult {
  const known = definitions.flatMap((definition) => names.toProvider(definition.name) ?? []);
  const message = `Unknown tool ${JSON.stringify(name.slice(0, 100))}`;
  return failureResult({
    code: 'UNKNOWN_TOOL',
    message,
    headline: withAvailable(message, known),
    suggestion: nearestName(name, known),
    availableTools: known,
  });
}
