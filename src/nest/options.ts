import type { ApplicationOptions, Class, DynamicModule, LogFunction, Logger } from '../index.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { CURATION_RULES, type CurationOptions } from '../operations/curation.ts';
import { withCurationFile } from '../operations/curation-file.ts';
import type { Identity } from '../operations/operation.ts';
import {
  aFunction,
  anything,
  either,
  oneOf,
  rule,
  wholeNumber,
  type OptionRules,
} from '../shared/option-rules.ts';

/** Which routes become actions, and whose requests they are. */
export interface NestApiOptions extends CurationOptions {
  /**
   * What the guards of the application see of the caller. `same-server`: the token of the MCP request, which was issued
   * for this server, so `/mcp` and the API have one audience. A function: the headers that it gives, such as a token of
   * the application's own for `caller`. `none`: nothing. Default `same-server`.
   *
   * @example
   * const identity = (caller: AuthInfo | undefined) => ({ authorization: `Bearer ${String(caller?.extra?.['own'])}` });
   */
  readonly identity?: 'same-server' | 'none' | Identity;
  /** Bytes that the answer of a route may have. Default 4 MiB. */
  readonly maxAnswerBytes?: number;
  /** Takes warnings about routes. Default: stderr. */
  readonly logger?: Logger | LogFunction;
}

/** Options of {@link exposeNest}: which routes, where, and those of `McpApplication.create`. */
export interface ExposeNestOptions
  extends NestApiOptions, Omit<ApplicationOptions, keyof NestApiOptions | 'exclude'> {
  /** Where the endpoint is. Default `/mcp`. */
  readonly path?: string;
  /** A module of your own, with actions, prompts and resources beside the routes. Default: none. */
  readonly module?: Class | DynamicModule;
  /** How many tokens the list of all tools may cost, as `toolwright tokens` counts them. Default: any number. */
  readonly maxTokens?: number;
}

/** The options that say which routes are offered and where. */
export type OwnOptions = NestApiOptions & Pick<ExposeNestOptions, 'path' | 'module' | 'maxTokens'>;

export const NEST_API_RULES: OptionRules<NestApiOptions> = {
  ...CURATION_RULES,
  identity: either(oneOf('same-server', 'none'), aFunction),
  maxAnswerBytes: wholeNumber(1),
  logger: anything,
};

const OWN_RULES: OptionRules<OwnOptions> = {
  ...NEST_API_RULES,
  path: rule(
    'a path, such as /mcp',
    (value) => typeof value === 'string' && /^\/[^?#\s]*[^/?#\s]$/.test(value),
  ),
  module: anything,
  maxTokens: wholeNumber(1),
};

/** The options of routes, with those of their file, and the options of the MCP application. */
export interface SplitOptions {
  readonly own: OwnOptions;
  readonly application: ApplicationOptions;
}

/** @throws ToolwrightError TW_APPLICATION_OPTION, TW_OPERATIONS_FILE */
export function splitOptions(options: ExposeNestOptions, where: string): SplitOptions {
  const names = new Set(Object.keys(OWN_RULES));
  const entries = Object.entries(options);
  const own: OwnOptions = Object.fromEntries(entries.filter(([name]) => names.has(name)));
  refuseOptions('TW_APPLICATION_OPTION', where, own, OWN_RULES);
  return {
    own: withCurationFile(own),
    application: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
  };
}
