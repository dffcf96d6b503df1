import { LRUCache } from 'lru-cache';
import { refuseOptions } from '../../errors/option-errors.ts';
import { TARGET_RULES, type TargetOptions } from '../../formats/adapters/format-adapter.ts';
import { defaultRegistry } from '../../formats/adapter-registry.ts';
import { describeRule, exposeRule } from '../../metadata/option-rules.ts';
import type { Describe, Expose } from '../../metadata/options.ts';
import type { RegisteredTools } from '../../runtime/tools/tool-registry.ts';
import type { OptionRules } from '../../shared/option-rules.ts';
import type { CallFormat } from './call-forms.ts';
import { bridgeTools, type CallTool, type ExportedTools } from './tool-bridge.ts';

/** How the tools of an application are written for a provider. */
export interface ExportOptions extends TargetOptions {
  /** One tool for each group, or one for each action. Default: as the application serves them. */
  readonly expose?: Expose;
  /** How grouped tools describe their actions. Default: as the application serves them. */
  readonly describe?: Describe;
}

/** In which way the actions of an application are offered. */
export type Exposition = Pick<ExportOptions, 'expose' | 'describe'>;

export const EXPORT_RULES: OptionRules<ExportOptions> = {
  ...TARGET_RULES,
  expose: exposeRule,
  describe: describeRule,
};

/** Where exported tools come from. */
export interface ExportSource {
  /** The registry that serves clients. */
  readonly registry: RegisteredTools;
  /** The same actions, offered in the given way. */
  expose(exposition: Exposition): RegisteredTools;
  /** Calls a tool of one of these registries as `app.call` does. */
  callThrough(registry: RegisteredTools): CallTool;
}

/** The cache limit: callers can pass any number of different options. */
const MOST_EXPORTS = 32;

/** The exports of one application, each written once for as long as its tools stay the same. */
export class ToolExports {
  readonly #source: ExportSource;
  readonly #registries = new Map<string, RegisteredTools>();
  readonly #exports = new LRUCache<
    string,
    { readonly definitions: unknown; readonly exported: ExportedTools }
  >({ max: MOST_EXPORTS });

  constructor(source: ExportSource) {
    this.#source = source;
  }

  /**
   * @throws ToolwrightError TW_APPLICATION_OPTION
   * @throws ConversionError for a tool that the provider's form cannot express
   */
  export(format: CallFormat, given: ExportOptions = {}): ExportedTools {
    refuseOptions('TW_APPLICATION_OPTION', 'app.export()', given, EXPORT_RULES);
    const { expose, describe, ...options } = given;
    const registry = this.#registryOf({
      ...(expose === undefined ? {} : { expose }),
      ...(describe === undefined ? {} : { describe }),
    });
    const definitions = registry.getTools();
    const key = JSON.stringify([format, expose, describe, options]);
    const known = this.#exports.get(key);
    if (known?.definitions === definitions) return known.exported;
    const source = { definitions, call: this.#source.callThrough(registry) };
    const exported = bridgeTools(format, source, defaultRegistry(), options);
    this.#exports.set(key, { definitions, exported });
    return exported;
  }

  #registryOf(exposition: Exposition): RegisteredTools {
    if (Object.keys(exposition).length === 0) return this.#source.registry;
    const key = JSON.stringify([exposition.expose, exposition.describe]);
    let registry = this.#registries.get(key);
    if (registry === undefined) this.#registries.set(key, (registry = this.#source.expose(exposition)));
    return registry;
  }
}
