import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import { isVisible, type ToolFilter } from '../../compile/tools/tool-filter.ts';
import type { WireResource } from '../../converters/wire.ts';
import type { Call } from '../../kernel/call/call.ts';
import type { ScannedRequirements } from '../../scanner/requirements/scanned-requirements.ts';
import type { ScannedApplication } from '../../scanner/scan-application.ts';
import { isPlainObject } from '../../shared/json.ts';
import { describeViewPage, VIEW_TYPE, type SaidView, type ViewPage } from './view-options.ts';

/** The extension by which clients declare that they show views (MCP Apps 2026-01-26). */
const EXTENSION = 'io.modelcontextprotocol/ui';

/** A page, and what the actions require that have it. */
interface DeclaredView {
  readonly page: ViewPage;
  readonly listed: WireResource;
  readonly requirements: readonly (ScannedRequirements | undefined)[];
}

/** The views of an application, and what their clients see of them. */
export class ViewPages {
  readonly #views: ReadonlyMap<string, DeclaredView>;
  /** By list: what it is for clients that show no views. */
  readonly #plain = new WeakMap<readonly ToolDefinition[], readonly ToolDefinition[]>();

  constructor(views: ReadonlyMap<string, DeclaredView>) {
    this.#views = views;
  }

  /** The views, for a client that shows them; others list resources for people, and nobody reads a view as a text. */
  listTo(call: Call): readonly WireResource[] {
    if (!showsViews(call)) return [];
    return [...this.#views.values()].filter((view) => isSeen(view, call)).map(({ listed }) => listed);
  }

  /** A view as a resource; undefined for every other URI, and for a caller who sees none of the actions that have it. */
  read(call: Call): object | undefined {
    const { uri } = call.params;
    const view = this.#views.get(uri as string);
    if (view === undefined || !isSeen(view, call)) return undefined;
    const { html } = view.page;
    const { _meta } = view.listed;
    const text = typeof html === 'string' ? html : html();
    return { contents: [{ uri, mimeType: VIEW_TYPE, text, ...(_meta === undefined ? {} : { _meta }) }] };
  }

  /** A list of tools for the client of a call: one that shows no views sees nothing of them. */
  fit(list: readonly ToolDefinition[], call: Call): readonly ToolDefinition[] {
    if (showsViews(call)) return list;
    const known = this.#plain.get(list) ?? withoutViews(list);
    this.#plain.set(list, known);
    return known;
  }
}

/** The views of the actions that a filter lets pass, by their URIs. One that is hidden may have declared the page. */
export function findViewPages(
  { tools }: Pick<ScannedApplication, 'tools'>,
  filter?: ToolFilter,
): ReadonlyMap<string, DeclaredView> {
  const pages = new Map<string, ViewPage>();
  const requirements = new Map<string, (ScannedRequirements | undefined)[]>();
  for (const action of tools.flatMap(({ actions }) => actions)) {
    const { uri, visibility: _visibility, html, ...others } = (action.slots['views'] ?? {}) as SaidView;
    if (uri === undefined) continue;
    if (html !== undefined) pages.set(uri, Object.freeze({ html, ...others }));
    if (!isVisible(action, filter)) continue;
    requirements.set(uri, [...(requirements.get(uri) ?? []), action.requirements]);
  }
  return new Map(
    [...pages].flatMap(([uri, page]) => {
      const required = requirements.get(uri);
      if (required === undefined) return [];
      return [[uri, Object.freeze({ page, listed: listView(uri, page), requirements: required })] as const];
    }),
  );
}

function isSeen({ requirements }: DeclaredView, { authority }: Call): boolean {
  const verdicts = authority?.verdicts;
  return verdicts === undefined || requirements.some((each) => verdicts.admits(each));
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
  const { ui, 'ui/resourceUri': _older, ...others } = tool._meta ?? {};
  if (ui === undefined) return tool;
  const { visibility } = ui as { readonly visibility?: readonly string[] };
  if (visibility?.includes('model') === false) return undefined;
  const { _meta, ...plain } = tool;
  return Object.freeze(Object.keys(others).length === 0 ? plain : { ...plain, _meta: others });
}
