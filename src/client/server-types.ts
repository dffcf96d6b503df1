import type { CallToolResult } from '../call/results.ts';
import type { PlainObject } from '../shared/json.ts';

/**
 * The tools and prompts of one server, as `toolwright export --for client` writes them for `connect()`.
 *
 * @example
 * type Weather = {
 *   tools: { forecast: { '': { input: { city: string }; output: { degrees: number } } } };
 *   prompts: {};
 *   choice: never;
 * };
 * const client = await connect<Weather>('https://weather.example/mcp');
 */
export interface ServerTypes {
  /**
   * Tool → action → the arguments of a call, and the structured content of its result. A tool that is one action by itself
   * has it under an empty name.
   */
  readonly tools: Readonly<
    Record<string, Readonly<Record<string, { readonly input: object; readonly output: object }>>>
  >;
  /** Prompt → its arguments. */
  readonly prompts: Readonly<Record<string, object>>;
  /** The arguments that choose an action of a tool, such as `'action'`; `never` where no tool has several. */
  readonly choice: string;
}

/** A server of which nothing is known: calls with any name and any arguments compile. */
export interface AnyServer {
  /** Any tool. */
  readonly tools: Readonly<
    Record<string, Readonly<Record<string, { readonly input: PlainObject; readonly output: PlainObject }>>>
  >;
  /** Any prompt. */
  readonly prompts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Which arguments choose actions is not known. */
  readonly choice: never;
}

/** The result of a tool whose structured content is known. */
export interface TypedResult<Output> extends Omit<CallToolResult, 'structuredContent'> {
  /** What the tool gave, as it declares it. Left out by tools that declare nothing, and where `isError` is true. */
  readonly structuredContent?: Output;
}

/** The arguments of a call of one action; the compiler infers the action from the argument that chooses it. */
export type ToolArguments<
  Server extends ServerTypes,
  Name extends keyof Server['tools'],
  Action extends keyof Server['tools'][Name],
> = Server['tools'][Name][Action]['input'] &
  ([Server['choice']] extends [never]
    ? unknown
    : {
        // A tool that is one action by itself may have an argument of that name as any other
        readonly [Choice in Server['choice']]?:
          | Action
          | (Server['tools'][Name] extends Record<'', { input: Partial<Record<Choice, infer Own>> }>
              ? Own
              : never);
      });
