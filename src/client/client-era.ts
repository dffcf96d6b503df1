import type { PlainObject } from '../shared/json.ts';
import type { RequestOptions } from './client-connection.ts';

/** What a server says of itself (spec: basic/lifecycle; 2026-07-28: server/discover). */
export interface ServerDescription {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly title: string | undefined;
  readonly instructions: string | undefined;
  readonly capabilities: PlainObject;
}

/** What a client wants to hear of. */
export interface ChangeFilter {
  readonly tools?: boolean;
  readonly prompts?: boolean;
  readonly resources?: boolean;
  /** Resources whose content may change. */
  readonly uris?: readonly string[];
}

/** One protocol era, spoken with one server. */
export interface ClientEra {
  readonly era: '2025' | '2026';
  readonly revision: string;
  readonly server: ServerDescription;
  /** Gives the final result: questions on the way are answered. */
  request(method: string, params: PlainObject, options: EraRequestOptions): Promise<PlainObject>;
  /** @returns ends it */
  subscribe(filter: ChangeFilter): Promise<() => Promise<void>>;
}

export interface EraRequestOptions extends RequestOptions {
  /** Headers that repeat arguments; 2026-07-28 over HTTP alone has them. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function describeServer(
  info: unknown,
  { capabilities, instructions }: PlainObject,
): ServerDescription {
  const { name, version, title } = (info ?? {}) as PlainObject;
  return Object.freeze({
    name: textOr(name),
    version: textOr(version),
    title: textOr(title),
    instructions: textOr(instructions),
    capabilities: (capabilities ?? {}) as PlainObject,
  });
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
