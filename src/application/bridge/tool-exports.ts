import { LRUCache } from 'lru-cache';
import type { AuthInfo } from '../../call/request-context.ts';
import { failureResult } from '../../call/result-helpers.ts';
import { refuseOptions } from '../../errors/option-errors.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { TARGET_RULES, type TargetOptions } from '../../formats/adapters/format-adapter.ts';
import { defaultRegistry } from '../../formats/adapter-registry.ts';
import { describeRule, exposeRule } from '../../metadata/option-rules.ts';
import type { Describe, Expose } from '../../metadata/options.ts';
import { SURFACE_NAMES, type SurfaceName } from '../../compile/surfaces/surface.ts';
import type { LocalTools } from '../../runtime/local-calls.ts';
import type { RegisteredTools } from '../../registry/tool-registry.ts';
import { aFunction, authRule, oneOf, trueOrFalse, type OptionRules } from '../../shared/option-rules.ts';
import { toolsForModels } from '../../shared/tool-summary.ts';
import { withoutUndefined } from '../../shared/json.ts';
import type { CallFormat } from './call-forms.ts';
import { isAgentFormat, writeAgentTools, type AgentForms } from './agent-tools.ts';
import { exportCode, type CodeExport, type CodeExportOptions } from './code-export.ts';
import { bridgeTools, canDefer, type ExportedTools } from './tool-bridge.ts';

/** How the tools of an application are written for a provider. */
export interface ExportOptions extends TargetOptions {
  /** One tool for each group, or one for each action. Default: as the application serves them. */
  readonly expose?: Expose;
  /** How grouped tools describe their actions. Default: as the application serves them. */
  readonly describe?: Describe;
  /** The surface whose tools are written, and on which calls run. Default: what the groups say. */
  readonly surface?: SurfaceName;
  /**
   * The caller: the tools are those that it may see, and calls of the model run for it. Default: who calls with `app.call`
   * without `authInfo`, which is nobody unless `auth.local` says otherwise.
   */
  readonly authInfo?: AuthInfo;
  /**
   * Lets the model search for the tools, one for each action, and load those that it needs; pinned actions are there from
   * the start. With `openai-responses`, `anthropic` and `openai-agents`. Default false.
   */
  readonly deferred?: boolean;
}

/** How tools are written for agents in the process: the options of {@link ExportOptions} that they have. */
export type AgentExportOptions = Pick<ExportOptions, 'authInfo' | 'surface' | 'strict'>;

/** The forms that actions are exported in. */
export type ExportFormat = CallFormat | keyof AgentForms | 'code';

/** In which way the actions of an application are offered. */
export type Exposition = Pick<ExportOptions, 'expose' | 'describe' | 'surface'>;

export const EXPORT_RULES: OptionRules<ExportOptions> = {
  ...TARGET_RULES,
  expose: exposeRule,
  describe: describeRule,
  surface: oneOf(...SURFACE_NAMES),
  authInfo: authRule,
  deferred: trueOrFalse,
};

/** The options of all formats for agents, of which one can defer. */
type AgentOptions = AgentExportOptions & Pick<ExportOptions, 'deferred'>;

const AGENT_RULES: OptionRules<AgentOptions> = {
  authInfo: EXPORT_RULES.authInfo,
  surface: EXPORT_RULES.surface,
  strict: EXPORT_RULES.strict,
  deferred: trueOrFalse,
};

const CODE_RULES: OptionRules<CodeExportOptions> = { authInfo: authRule, approve: aFunction };

/** One tool for each action. */
const FLAT: Exposition = { surface: 'flat' };

/** Where exported tools come from. */
export interface ExportSource {
  /** The registry that serves clients. */
  readonly registry: RegisteredTools;
  /** The same actions, offered in the given way. */
  expose(exposition: Exposition): RegisteredTools;
  /** Lists and calls the tools of one of these registries as `app.call` does, on a surface of it. */
  serve(registry: RegisteredTools, surface: SurfaceName): LocalTools;
}

const MS_PER_SECOND = 1000;

/** The cache limit: callers can pass any number of different options. */
const MAX_EXPORTS_COUNT = 32;

/** The exports of one application, each written once for as long as its tools stay the same. */
export class ToolExports {
  readonly #source: ExportSource;
  readonly #exposed = new Map<string, LocalTools>();
  readonly #exports = new LRUCache<string, { readonly listed: unknown; readonly exported: ExportedTools }>({
    max: MAX_EXPORTS_COUNT,
  });

  constructor(source: ExportSource) {
    this.#source = source;
  }

  /**
   * @throws ToolwrightError TW_APPLICATION_OPTION
   * @throws ConversionError for a tool that the form cannot express
   */
  async export(format: ExportFormat, given: ExportOptions & CodeExportOptions = {}): Promise<unknown> {
    if (format === 'code') return this.#exportCode(given);
    return isAgentFormat(format) ? this.#exportAgentTools(format, given) : this.exportTools(format, given);
  }

  /** The tools in the form of a model's API. */
  async exportTools(format: CallFormat, given: ExportOptions = {}): Promise<ExportedTools> {
    refuseOptions('TW_APPLICATION_OPTION', 'app.export()', given, EXPORT_RULES);
    const { expose, describe, surface, authInfo, deferred = false, ...options } = given;
    if (deferred) refuseDeferred(format, given);
    const tools = this.#toolsOf(deferred ? FLAT : withoutUndefined({ expose, describe, surface }));
    const listed = await tools.list(authInfo);
    const definitions = toolsForModels(listed);
    const run = callUntilExpiry(tools);
    const call = (tool: string, args: unknown) => run(tool, args, authInfo && { authInfo });
    const source = { definitions, call };
    const write = () => bridgeTools(format, source, defaultRegistry(), options, deferred);
    // What is exported for one caller dispatches for that caller only
    if (authInfo !== undefined) return write();
    const key = JSON.stringify([format, expose, describe, surface, deferred, options]);
    const known = this.#exports.get(key);
    if (known?.listed === listed) return known.exported;
    const exported = write();
    this.#exports.set(key, { listed, exported });
    return exported;
  }

  /** The tools as a library for agents takes them. They are the caller's own, and written again each time. */
  async #exportAgentTools(format: keyof AgentForms, given: AgentOptions): Promise<unknown> {
    refuseOptions('TW_APPLICATION_OPTION', 'app.export()', given, AGENT_RULES);
    const { surface, authInfo, strict, deferred = false } = given;
    if (deferred) refuseDeferred(format, given);
    const tools = this.#toolsOf(deferred ? FLAT : withoutUndefined({ surface }));
    const reached = await this.#toolsOf({}).list(authInfo);
    const definitions = toolsForModels(await tools.list(authInfo));
    const call = callUntilExpiry(tools);
    const source = { definitions, reached, call, deferred, ...withoutUndefined({ authInfo, strict }) };
    return writeAgentTools(format, source);
  }

  /** The actions for code, which are the caller's own. */
  async #exportCode(given: CodeExportOptions): Promise<CodeExport> {
    refuseOptions('TW_APPLICATION_OPTION', 'app.export()', given, CODE_RULES);
    const tools = this.#toolsOf(FLAT);
    const definitions = toolsForModels(await tools.list(given.authInfo));
    return exportCode({ ...given, definitions, call: callUntilExpiry(tools) });
  }

  #toolsOf(exposition: Exposition): LocalTools {
    const key = JSON.stringify([exposition.expose, exposition.describe, exposition.surface]);
    let tools = this.#exposed.get(key);
    if (tools === undefined) {
      const { registry } = this.#source;
      const isOwn = Object.keys(exposition).length === 0;
      tools = this.#source.serve(
        isOwn ? registry : this.#source.expose(exposition),
        exposition.surface ?? 'own',
      );
      this.#exposed.set(key, tools);
    }
    return tools;
  }
}

/** An export may be kept for longer than its caller is signed in. */
function callUntilExpiry(tools: LocalTools): LocalTools['call'] {
  return async (tool, args, options) => {
    const { expiresAt = Infinity } = options?.authInfo ?? {};
    if (expiresAt * MS_PER_SECOND > Date.now()) return tools.call(tool, args, options);
    const message = 'The sign-in of the caller has expired, and nothing was done';
    const suggestion = 'the program has to export the tools again, for a caller who is signed in';
    return failureResult({ code: 'UNAUTHENTICATED', message, suggestion, tool });
  };
}

/** The model searches for actions; other ways to offer them do not go with that. */
function refuseDeferred(format: string, { expose, describe, surface }: Exposition): void {
  const isFlat = expose !== 'grouped' && describe === undefined && (surface ?? 'flat') === 'flat';
  if (isFlat && (canDefer(format) || format === 'openai-agents')) return;
  throw new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'app.export()',
    what: isFlat
      ? `cannot defer the tools of the format "${format}".`
      : 'defers tools that are no single actions.',
    why: 'a model searches for one tool for each action, with the APIs of OpenAI and Anthropic that have a search.',
    fix: "app.export('openai-responses', { deferred: true }), or 'anthropic' or 'openai-agents'",
  });
}
