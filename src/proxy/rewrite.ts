import type { RemoteList } from '../runtime/runtime-facet.ts';
import { isObject, type PlainObject } from '../shared/json.ts';
import type { ProxyNames } from './names.ts';

/** What names an entry of each list. */
export const LIST_MEMBERS = {
  'tools/list': { member: 'tools', key: 'name' },
  'prompts/list': { member: 'prompts', key: 'name' },
  'resources/list': { member: 'resources', key: 'uri' },
  'resources/templates/list': { member: 'resourceTemplates', key: 'uriTemplate' },
} as const satisfies Readonly<Record<RemoteList, { readonly member: string; readonly key: string }>>;

/** An entry of a list of the server as it is listed here: nothing of it changes but names, URIs and its description. */
export function rewriteDefinition(method: RemoteList, entry: PlainObject, names: ProxyNames): PlainObject {
  const { key } = LIST_MEMBERS[method];
  const theirs = String(entry[key]);
  if (key !== 'name') return withMeta({ ...entry, [key]: names.uri(theirs) }, names);
  const description = names.description(theirs);
  const named = { ...entry, name: names.name(theirs), ...(description === undefined ? {} : { description }) };
  return withMeta(named, names);
}

/** A result of the server as its caller gets it: the URIs in it are those of here, all else is as it came. */
export function rewriteResult(result: PlainObject, names: ProxyNames): PlainObject {
  if (names.namespace === '') return result;
  const { content, contents, messages } = result;
  return withMeta(
    {
      ...result,
      ...(Array.isArray(content) && { content: content.map((each) => rewriteBlock(each, names)) }),
      ...(Array.isArray(contents) && { contents: contents.map((each) => withUri(each, names)) }),
      ...(Array.isArray(messages) && { messages: messages.map((each) => rewriteMessage(each, names)) }),
    },
    names,
  );
}

function rewriteMessage(message: unknown, names: ProxyNames): unknown {
  if (!isObject(message)) return message;
  const { content } = message;
  const rewritten = Array.isArray(content)
    ? content.map((each) => rewriteBlock(each, names))
    : rewriteBlock(content, names);
  return 'content' in message ? { ...message, content: rewritten } : message;
}

function rewriteBlock(block: unknown, names: ProxyNames): unknown {
  if (!isObject(block)) return block;
  if (block['type'] === 'resource_link') return withUri(block, names);
  if (block['type'] === 'resource') return { ...block, resource: withUri(block['resource'], names) };
  return block;
}

function withUri(value: unknown, names: ProxyNames): unknown {
  if (!isObject(value)) return value;
  const { uri } = value;
  return typeof uri === 'string' ? { ...value, uri: names.uri(uri) } : value;
}

/** The page of a view is a resource of the server, too (MCP Apps, `_meta.ui.resourceUri`). */
function withMeta(value: PlainObject, names: ProxyNames): PlainObject {
  const { _meta: meta } = value;
  if (names.namespace === '' || !isObject(meta) || !isObject(meta['ui'])) return value;
  const { resourceUri } = meta['ui'];
  if (typeof resourceUri !== 'string') return value;
  return { ...value, _meta: { ...meta, ui: { ...meta['ui'], resourceUri: names.uri(resourceUri) } } };
}
