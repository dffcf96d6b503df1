import type { NarrowedField } from './joined-contract.ts';
import type { AuthInfo, SchemaSource, ToolContext } from '../index.ts';
import type { OperationSettings } from './settings.ts';

/** Where a value stands in an HTTP request. */
export type PlaceIn = 'path' | 'query' | 'header' | 'cookie' | 'body';

/** One part of the input of an operation: a named value, or with no name all values of one place. */
export interface Place {
  /** Where its values stand in the request. */
  readonly in: PlaceIn;
  /** The name on the wire. Default: the source is an object that has all values of the place. */
  readonly name?: string;
  /** What the value, or the object of all values, is checked against. */
  readonly source: SchemaSource;
  /** Whether a named value has to be there. */
  readonly isRequired: boolean;
  /** Whether it is offered only where settings name it, as a header that is not required. */
  readonly isOptIn?: boolean;
  /** What fields are for, by their names on the wire. */
  readonly texts?: ReadonlyMap<string, string>;
  /** What is left of the values of fields that cannot be sent as they are. */
  readonly narrowed?: ReadonlyMap<string, NarrowedField>;
}

/** Why an operation is not offered unless it is named. */
export type LeftOutReason =
  | 'sse'
  | 'upload'
  | 'html'
  | 'redirect'
  | 'excluded'
  | 'deprecated'
  | 'method'
  | 'wildcard'
  | 'health'
  | 'auth'
  | 'unknown-input'
  | 'binary'
  | 'mcp'
  | 'host'
  | 'unknown-route'
  | 'unreadable';

/** What operators and plans show of an operation that is left out. */
export interface LeftOut {
  /** The reason, as plans group by it. */
  readonly reason: LeftOutReason;
  /** The reason in a sentence, with what helps. */
  readonly note: string;
}

/** The hints of an action for clients. */
export interface OperationHints {
  /** It changes nothing. */
  readonly readOnly: boolean;
  /** It may destroy something. */
  readonly destructive: boolean;
  /** Running it twice has the effect of running it once. */
  readonly idempotent: boolean;
}

/** What patterns and functions see of an operation of an API that exists. */
export interface OperationFacts {
  /** Names the operation in patterns and files: `POST /tasks/{id}/close`. */
  readonly key: string;
  /** Where it comes from: `TasksController.close`. */
  readonly origin: string;
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** The path, with `{name}` in the place of values. */
  readonly path: string;
  /** The name of the group that it belongs to. */
  readonly group: string;
  /** The name of the action. */
  readonly name: string;
  /** Tags that patterns select by: `#billing`. */
  readonly tags: readonly string[];
}

/** One operation of an API that exists, before it becomes an action. */
export interface Operation extends OperationFacts {
  /** A short name, for people. */
  readonly title?: string;
  /** What it does. */
  readonly description?: string;
  /** The names of the groups that its group is in, the outermost first, which is the tool. Default: none. */
  readonly parents?: readonly string[];
  /** What it takes. */
  readonly inputs: readonly Place[];
  /** Headers that each request has. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its hints for clients. */
  readonly hints: OperationHints;
  /** The version of the action, where the API has several. */
  readonly version?: string;
  /** What the API itself says about the action, as `x-mcp`; options say more. */
  readonly declared?: OperationSettings;
  /** What it answers, where the API says so. */
  readonly answer?: SchemaSource;
  /** Why it is not offered unless it is named. */
  readonly leftOut?: LeftOut;
  /** Metadata that the API has about it. */
  readonly metadata: (key: string) => unknown;
}

/** A request, before a carrier sends it. */
export interface HttpRequest {
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** The path and the query. */
  readonly path: string;
  /** The headers, by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; undefined for none. */
  readonly body?: string | Uint8Array | undefined;
}

/** What came back. */
export interface HttpAnswer {
  /** The status code. */
  readonly status: number;
  /** The headers, by names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The whole body. */
  readonly body: Uint8Array;
}

/** The call that a request is made for. */
export interface CarriedCall {
  /** The name of the tool. */
  readonly tool: string;
  /** The name of the action. */
  readonly action: string;
  /** The context of the call. */
  readonly context: ToolContext;
  /** The caller, as the endpoint has authenticated it; undefined without authentication. */
  readonly caller: AuthInfo | undefined;
}

/** What a carrier knows beside the request. */
export interface CarryOptions {
  /** Ends the request. */
  readonly signal: AbortSignal;
  /** The call that the request is made for. */
  readonly call: CarriedCall;
  /** How many bytes the body of the answer may have. */
  readonly maxAnswerBytes: number;
}

/** Sends requests to where an API is. */
export type Carrier = (request: HttpRequest, options: CarryOptions) => Promise<HttpAnswer>;

/** Says whose request it is: gives headers, such as `authorization`. */
export type Identity = (
  caller: AuthInfo | undefined,
  call: CarriedCall,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;

/** A request with credentials. */
export interface SignedRequest extends HttpRequest {
  /** The credentials, in each form that they are sent in. */
  readonly secrets?: readonly string[];
}

/** Adds what an API wants to know of who sends a request: a header, a parameter of the query, a cookie. */
export type Sign = (request: HttpRequest, call: CarriedCall) => SignedRequest | Promise<SignedRequest>;
