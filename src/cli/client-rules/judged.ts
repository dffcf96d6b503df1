import type { Fact, ClientFacts } from '../../profiles/facts.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import type { FindingLevel } from '../output/levels.ts';
import type { ClientRuleCode } from './codes.ts';

/** An action of a tool, as far as rules look at it. */
export interface JudgedAction {
  readonly key: string;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  /** How a person agrees to each call; left out where nobody is asked. */
  readonly confirm?: boolean | 'twice' | 'url';
  /** Its declared output. */
  readonly outputSchema?: JsonSchema;
  /** Whether a result that is too large can be cut into pages. */
  readonly isPaged?: boolean;
  /** Whether its author said how large a result may be. */
  readonly hasBudget?: boolean;
  /** The form of its text. Default `json`. */
  readonly result?: string;
}

/** A tool of the list that a client gets. */
export interface JudgedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly actions: readonly JudgedAction[];
  /** Of its definition; left out where nobody counted. */
  readonly tokens?: number;
}

/** A page that shows results. */
export interface JudgedView {
  readonly uri: string;
  /** The origins that it may reach, by kind; left out where its author says nothing of them. */
  readonly csp?: Readonly<Record<string, readonly string[]>>;
}

/** What a registry is sent of a server. */
export interface JudgedListing {
  /** Left out where nothing is published of it. */
  readonly name?: string | undefined;
  readonly findings: readonly (Pick<Found, 'level' | 'where' | 'what'> & { readonly fix: string })[];
}

/** What a client gets of a server. */
export interface JudgedServer {
  readonly name: string;
  /** Left out where its project is not looked at. */
  readonly listing?: JudgedListing;
  readonly tools: readonly JudgedTool[];
  readonly views?: readonly JudgedView[];
  readonly instructions?: string;
  /** How many there are. */
  readonly prompts: number;
  readonly resources: number;
  /** The tools of one page of the list. Default: all. */
  readonly pageSize?: number;
  /** How callers are recognised: nobody is asked, tokens of a sign-in, or keys that a header carries. */
  readonly auth: 'none' | 'oauth' | 'headers';
  /** Whether lists differ from caller to caller, or change while the server runs. */
  readonly changesLists: boolean;
}

/** A client or directory that a server is to be well for. */
export interface JudgedClient {
  readonly id: string;
  readonly title: string;
  readonly isDirectory: boolean;
  readonly facts: ClientFacts;
  readonly now: Date;
}

/** What a rule found, and because of which fact. */
export interface Found {
  readonly where: string;
  /** The rest of a sentence that begins with the place. */
  readonly what: string;
  readonly level: FindingLevel;
  /** Left out where it is not about one fact. */
  readonly fact?: Fact<unknown>;
  /** Left out where the rule has the fix. */
  readonly fix?: string;
}

/** One thing that keeps a server from being well for a client. */
export interface ClientRule {
  readonly code: ClientRuleCode;
  readonly fix: string;
  readonly find: (server: JudgedServer, client: JudgedClient) => readonly Found[];
}

export function describePlace({ name }: JudgedTool): string {
  return `tool ${JSON.stringify(name)}`;
}

/** The same rule for each tool, where a fact of the client speaks of it. */
export function eachTool<Known extends Fact<unknown>>(
  fact: Known | undefined,
  { tools }: JudgedServer,
  find: (tool: JudgedTool, fact: Known) => Omit<Found, 'where' | 'fact'> | undefined,
): readonly Found[] {
  if (fact === undefined) return [];
  return tools.flatMap((tool) => {
    const found = find(tool, fact);
    return found === undefined ? [] : [{ where: describePlace(tool), fact, ...found }];
  });
}

/** The fact, where it is true. */
export function ifTrue(fact: Fact<boolean> | undefined): Fact<boolean> | undefined {
  return fact?.value === true ? fact : undefined;
}

/** The fact, where it is false. */
export function ifFalse(fact: Fact<boolean> | undefined): Fact<boolean> | undefined {
  return fact?.value === false ? fact : undefined;
}
