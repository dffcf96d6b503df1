import type { CallToolResult } from '../call/results.ts';
import type { PlainObject } from '../shared/json.ts';

/** What one call of a tool takes, and the structured content of its result. */
interface CallTypes {
  readonly input: object;
  readonly output: object;
}

/**
 * The tools and prompts of one server, as `toolwright export --for client` writes them for `connect()`.
 *
 * @example
 * type Weather = {
 *   tools: { forecast: { '': { input: { city: string }; output: { degrees: number } } } };
 *   prompts: {};
 *   choice: never;
 * };
 */
export interface ServerTypes {
  /** Tool → action → what a call takes and gives. A tool that is one action by itself has it under an empty name. */
  readonly tools: Readonly<Record<string, Readonly<Record<string, CallTypes>>>>;
  /** Prompt → its arguments. */
  readonly prompts: Readonly<Record<string, object>>;
  /** The arguments that choose an action of a tool, such as `'action'`; `never` where no tool has several. */
  readonly choice: string;
}

/** A server of which nothing is known: any name and any argument compiles. */
export interface AnyServer {
  /** Every tool. */
  readonly tools: Readonly<Record<string, Readonly<Record<string, AnyCall>>>>;
  /** Every prompt. */
  readonly prompts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Which arguments choose actions is not known. */
  readonly choice: never;
}

interface AnyCall {
  readonly input: PlainObject;
  readonly output: PlainObject;
}

/** The result of a tool whose structured content is known. */
export interface TypedResult<Output> extends Omit<CallToolResult, 'structuredContent'> {
  /** What the tool gave, as its output schema declares it; left out by tools without one, and where `isError` is true. */
  readonly structuredContent?: Output;
}

/** The names of the tools. */
export type ToolName<Server extends ServerTypes> = keyof Server['tools'] & string;

/** The actions of a tool. */
export type ActionName<Server extends ServerTypes, Name extends ToolName<Server>> =
  keyof Server['tools'][Name] & string;

/** From the argument that chooses it, the compiler infers the action of a call. */
export type Choice<Server extends ServerTypes, Action> = [Server['choice']] extends [never]
  ? unknown
  : { readonly [Argument in Server['choice']]?: Action };

/** The names whose arguments may all be left out. */
export type NameWithoutArguments<Inputs> = {
  [Name in keyof Inputs]: Record<never, never> extends Inputs[Name] ? Name : never;
}[keyof Inputs] &
  string;

/** Tool → the arguments of a call. */
export type ToolInputs<Server extends ServerTypes> = {
  [Name in keyof Server['tools']]: Server['tools'][Name][keyof Server['tools'][Name]]['input'];
};
