import { isObject } from '../../../shared/json.ts';
import type { ChangeNotice } from '../../../call/notifier.ts';
import type { PartName } from '../../../runtime/service-parts.ts';
import { type Members } from '../../json-rpc/message.ts';
import { ENVELOPE } from '../../protocol.ts';
import type { OwnAnswer, RpcRequest, Subscription } from '../../revision.ts';
import { refused } from './faults.ts';
import { type JsonRpcFailure, jsonRpcCodes } from '../../json-rpc/json-rpc-error.ts';

const MAXIMUM_URIS = 1000;
/** In characters, as in the subscriptions of the 2025 era. */
const MAXIMUM_LENGTH = 8192;
const MAXIMUM_BYTES = 64 * 1024;

/** The members of a filter that ask for the changes of a list. */
const LISTS = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;
type ListKind = keyof typeof LISTS;

/** The changes that a client wants (spec 2026-07-28: basic/utilities/subscriptions). */
interface Filter {
  readonly lists: readonly ListKind[];
  readonly uris: readonly string[];
}

/** Answers `subscriptions/listen`; refuses a wrong filter, and more than is kept for one client. */
export function openSubscription(
  request: RpcRequest,
  parts: ReadonlySet<PartName>,
  giver: Members,
): OwnAnswer {
  const filter = readFilter(request.params, parts);
  if ('code' in filter) return refused(request, filter, 400);
  return { kind: 'standing', id: request.id, subscription: new ListenedChanges(request.id, filter, giver) };
}

/** What one client listens to. */
class ListenedChanges implements Subscription {
  readonly #id: string | number;
  readonly #lists: ReadonlySet<ListKind>;
  readonly #uris: ReadonlySet<string>;
  readonly #giver: Members;

  constructor(id: string | number, { lists, uris }: Filter, giver: Members) {
    this.#id = id;
    this.#lists = new Set(lists);
    this.#uris = new Set(uris);
    this.#giver = giver;
  }

  get isEmpty(): boolean {
    return this.#lists.size === 0 && this.#uris.size === 0;
  }

  get acknowledgement(): object {
    const lists = [...this.#lists].map((kind) => [LISTS[kind], true] as const);
    const uris = this.#uris.size === 0 ? {} : { resourceSubscriptions: [...this.#uris] };
    const notifications = { ...Object.fromEntries(lists), ...uris };
    return this.#message('notifications/subscriptions/acknowledged', { notifications });
  }

  get end(): object {
    return { resultType: 'complete', _meta: { ...this.#meta, ...this.#giver } };
  }

  noticeOf(change: ChangeNotice): object | undefined {
    if (change.kind !== 'resource') {
      return this.#lists.has(change.kind)
        ? this.#message(`notifications/${change.kind}/list_changed`)
        : undefined;
    }
    const { uri } = change;
    return this.#uris.has(uri) ? this.#message('notifications/resources/updated', { uri }) : undefined;
  }

  #message(method: string, params: Members = {}): object {
    return { jsonrpc: '2.0', method, params: { ...params, _meta: this.#meta } };
  }

  get #meta(): Members {
    return { [ENVELOPE.subscriptionId]: this.#id };
  }
}

/** A failure for a wrong filter, and for more than is kept for one client. */
function readFilter(params: Members | undefined, parts: ReadonlySet<PartName>): Filter | JsonRpcFailure {
  const filter = params?.['notifications'];
  if (!isObject(filter)) return invalid('notifications must be an object that says what to listen to');
  const lists = (Object.keys(LISTS) as ListKind[]).filter((kind) => filter[LISTS[kind]] !== undefined);
  const wrong = lists.find((kind) => typeof filter[LISTS[kind]] !== 'boolean');
  if (wrong !== undefined) return invalid(`notifications.${LISTS[wrong]} must be true or false`);
  const uris = filter['resourceSubscriptions'] ?? [];
  if (!isTexts(uris)) return invalid('notifications.resourceSubscriptions must be a list of URIs');
  const reason = tooMuch(uris);
  if (reason !== undefined) return invalid(reason);
  return {
    lists: lists.filter((kind) => filter[LISTS[kind]] === true && parts.has(kind)),
    uris: parts.has('resources') ? uris : [],
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function tooMuch(uris: readonly string[]): string | undefined {
  if (uris.length > MAXIMUM_URIS) {
    return `resourceSubscriptions names ${String(uris.length)} URIs; at most ${String(MAXIMUM_URIS)} are allowed`;
  }
  if (uris.some((uri) => uri.length > MAXIMUM_LENGTH)) {
    return `a URI in resourceSubscriptions is longer than ${String(MAXIMUM_LENGTH)} characters`;
  }
  const bytes = uris.reduce((sum, uri) => sum + Buffer.byteLength(uri), 0);
  if (bytes <= MAXIMUM_BYTES) return undefined;
  return `the URIs in resourceSubscriptions have ${String(bytes)} bytes; at most ${String(MAXIMUM_BYTES)} are allowed`;
}

function invalid(reason: string): JsonRpcFailure {
  return { code: jsonRpcCodes.invalidParams, message: `Invalid params: ${reason}` };
}
