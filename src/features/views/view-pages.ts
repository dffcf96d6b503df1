import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import type { WireResource } from '../../converters/wire.ts';
import type { Call } from '../../kernel/call/call.ts';
import type { SeenTools } from '../../runtime/runtime-facet.ts';
import type { ScannedApplication } from '../../scanner/scan-application.ts';
import { isPlainObject } from '../../shared/json.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import {
  describeViewPage,
  OLDER_URI_KEY,
  readViewUri,
  VIEW_TYPE,
  type SaidView,
  type ViewPage,
} from './view-options.ts';

/** The extension by which clients declare that they show views (MCP Apps 2026-01-26). */
const EXTENSION = 'io.modelcontextprotocol/ui';

interface DeclaredView {
  readonly page: ViewPage;
  readonly listed: WireResource;
}

/** The views of an application, and what their clients see of them. */
export class ViewPages {
  readonly #views: ReadonlyMap<string, DeclaredView>;
  /** By the tools that a caller sees. */
  readonly #seen = new WeakMap<readonly ToolDefinition[], readonly WireResource[]>();
  /** By list: what it is for clients that show no views. */
  readonly #plain = new WeakMap<readonly ToolDefinition[], readonly ToolDefinition[]>();

  constructor(pages: ReadonlyMap<string, ViewPage>) {
    this.#views = new Map([...pages].map(([uri, page]) => [uri, { page, listed: listView(uri, page) }]));
  }

  /** Each view as it is listed, with its page as it was read last. */
  get all(): readonly unknown[] {
    return [...this.#views.values()].map(({ page: { html }, listed }) => [
      listed,
      typeof html === 'string' ? html : html.text,
    ]);
  }

  /** The views, for a client that shows them; others list resources for people, and nobody reads a view as a text. */
  listTo(call: Call, tools: SeenTools): readonly WireResource[] {
    return showsViews(call) ? this.#seenWith(tools()) : NO_VIEWS;
  }

  /** A view as a resource; undefined for every other URI, and for a caller who sees none of the actions that have it. */
  read(call: Call, tools: SeenTools): MaybePromise<object | undefined> {
    const { uri } = call.params;
    const view = this.#views.get(uri as string);
    if (view === undefined || !this.#seenWith(tools()).includes(view.listed)) return undefined;
    const { _meta } = view.listed;
    const { html } = view.page;
    return thenMaybe(typeof html === 'string' ? html : html.read(), (text) => ({
      contents: [{ uri, mimeType: VIEW_TYPE, text, ...(_meta === undefined ? {} : { _meta }) }],
    }));
  }

  /** The views of tools that a caller sees: the same list for the same tools. */
  #seenWith(tools: readonly ToolDefinition[]): readonly WireResource[] {
    const known = this.#seen.get(tools);
    if (known !== undefined) return known;
    const uris = new Set(tools.map(readViewUri));
    const seen = [...this.#views.values()].filter(({ listed }) => uris.has(listed.uri));
    const list = Object.freeze(seen.map(({ listed }) => listed));
    this.#seen.set(tools, list);
    return list;
  }

  /** A list of tools for the client of a call: one that shows no views sees nothing of them. */
  fit(list: readonly ToolDefinition[], call: Call): readonly ToolDefinition[] {
    if (showsViews(call)) return list;
    const known = this.#plain.get(list) ?? withoutViews(list);
    this.#plain.set(list, known);
    return known;
  }
}

const NO_VIEWS: readonly never[] = Object.freeze([]);

/** The pages of an application, by the URIs of its views. An action that is hidden may declare the page of one that is not. */
export function findPages({ tools }: Pick<ScannedApplication, 'tools'>): ReadonlyMap<string, ViewPage> {
  const pages = new Map<string, ViewPage>();
  for (const { slots } of tools.flatMap(({ actions }) => actions)) {
    const { uri, visibility: _visibility, html, ...others } = (slots['views'] ?? {}) as SaidView;
    if (uri !== undefined && html !== undefined) pages.set(uri, Object.freeze({ html, ...others }));
  }
  return pages;
}

function listView(uri: string, page: ViewPage): WireResource {
  const { name = uri.slice(uri.lastIndexOf('/') + 1), title, description } = page;
  const _meta = describeViewPage(page);
  return Object.freeze({
    uri,
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    mimeType: VIEW_TYPE,
    ...(_meta === undefined ? {} : { _meta }),
  });
}

function showsViews({ context }: Call): boolean {
  const { extensions } = context.client().capabilities;
  const said = isPlainObject(extensions) ? extensions[EXTENSION] : undefined;
  const { mimeTypes } = isPlainObject(said) ? said : {};
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_TYPE);
}

/** Without the tools that are for views alone, and without what names a view. */
function withoutViews(list: readonly ToolDefinition[]): readonly ToolDefinition[] {
  if (list.every(({ _meta }) => _meta?.['ui'] === undefined)) return list;
  return Object.freeze(list.flatMap((tool) => withoutView(tool) ?? []));
}

function withoutView(tool: ToolDefinition): ToolDefinition | undefined {
  const { ui, [OLDER_URI_KEY]: _older, ...others } = tool._meta ?? {};
  if (ui === undefined) return tool;
  const { visibility } = ui as { readonly visibility?: readonly string[] };
  if (visibility?.includes('model') === false) return undefined;
  const { _meta, ...plain } = tool;
  return Object.freeze(Object.keys(others).length === 0 ? plain : { ...plain, _meta: others });
}
