import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import { isObject } from '../../shared/json.ts';
import {
  oneOf,
  either,
  filledText,
  isPolicyOrigin,
  listOf,
  objectOf,
  rule,
  text,
  trueOrFalse,
} from '../../shared/option-rules.ts';

/** Origins that a view may reach, such as `https://api.example.com`; none where nothing is said. */
export interface ViewOrigins {
  /** Requests of its scripts. */
  readonly connectDomains?: readonly string[];
  /** Images, fonts, media, scripts and styles that it loads. */
  readonly resourceDomains?: readonly string[];
  /** Pages in frames of it. */
  readonly frameDomains?: readonly string[];
  /** What `<base href>` may name. */
  readonly baseUriDomains?: readonly string[];
}

/** What a view may ask the host for. */
export type ViewPermission = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite';

/** Who may call an action: the model, the view, or both. */
export type ViewCaller = 'model' | 'app';

/** The page of a view, and who may call the action that has it. */
export interface ViewOptions {
  /** The page: one whole HTML document, with its scripts and styles in it. */
  readonly html?: string;
  /** The file of the page, with an absolute path. It is read at the start, and again after it has changed. */
  readonly file?: string | URL;
  /** The name among the resources. Default: the last part of the URI. */
  readonly name?: string;
  /** The name that hosts show to people. Default: made of `name`. */
  readonly title?: string;
  /** What the page is for. Default: none. */
  readonly description?: string;
  /** Origins that the page may reach. Default: none. */
  readonly csp?: ViewOrigins;
  /** What the page may ask for. Default: nothing. */
  readonly permissions?: readonly ViewPermission[];
  /** An origin for the page, where the host gives such; its form is that of the host. Default: that of the host. */
  readonly domain?: string;
  /** Whether the host draws a border. Default: as the host likes. */
  readonly prefersBorder?: boolean;
  /** Who may call the action. Default: both. `['app']` hides it from models in hosts that show views; it forbids nothing. */
  readonly visibility?: readonly ViewCaller[];
}

/** A page in a file. */
export interface ViewFile {
  /** The document as it was read last. */
  readonly text: string;
  /** The document of the moment. */
  read(): Promise<string>;
}

/** The page of a view, as one of the actions that have it declares it. */
export interface ViewPage extends Omit<ViewOptions, 'html' | 'file' | 'visibility'> {
  readonly html: string | ViewFile;
}

/** What is said of an action: the view that shows its results, and who may call it. */
export interface SaidView extends Partial<ViewPage> {
  readonly uri?: string;
  readonly visibility?: readonly ViewCaller[];
}

/** The MIME type of views (MCP Apps 2026-01-26: UI Resource Format). */
export const VIEW_TYPE = 'text/html;profile=mcp-app';

const viewUri = rule(
  "a URI that begins with ui://, such as 'ui://tasks/board'",
  (value) => typeof value === 'string' && /^ui:\/\/[\w.~%:-]+\/[!-~]+$/.test(value),
);

const origins = listOf(rule('an origin', isPolicyOrigin), "a list of origins: ['https://api.example.com']");

const document = either(
  rule(
    'a whole HTML document',
    (value) => typeof value === 'string' && /^\s*<(?:!doctype html|html)\b/i.test(value),
  ),
  rule('the file of one', (value) => isObject(value) && typeof value['read'] === 'function'),
);

export const viewRule = objectOf<SaidView>({
  uri: viewUri,
  html: document,
  name: filledText,
  title: text,
  description: text,
  csp: objectOf<ViewOrigins>({
    connectDomains: origins,
    resourceDomains: origins,
    frameDomains: origins,
    baseUriDomains: origins,
  }),
  permissions: listOf(
    oneOf('camera', 'microphone', 'geolocation', 'clipboardWrite'),
    "a list of 'camera', 'microphone', 'geolocation' and 'clipboardWrite'",
  ),
  domain: filledText,
  prefersBorder: trueOrFalse,
  visibility: listOf(oneOf('model', 'app'), "a list of 'model' and 'app'"),
});

/** The URI of a view in the `_meta` of its tool, where older hosts read it. */
export const OLDER_URI_KEY = 'ui/resourceUri';

/** The `_meta` of a tool (MCP Apps 2026-01-26: Tool Metadata), with the name that older hosts read. */
export function describeViewOfTool({ uri, visibility }: SaidView): Readonly<Record<string, unknown>> {
  return deepFreeze({
    ui: {
      ...(uri === undefined ? {} : { resourceUri: uri }),
      ...(visibility === undefined ? {} : { visibility: [...visibility] }),
    },
    ...(uri === undefined ? {} : { [OLDER_URI_KEY]: uri }),
  });
}

/** The URI of the view that a tool has. */
export function readViewUri({ _meta }: Pick<ToolDefinition, '_meta'>): unknown {
  return _meta?.[OLDER_URI_KEY];
}

/** The `_meta` of a view, the same where it is listed and where it is read. */
export function describeViewPage({
  csp,
  permissions,
  domain,
  prefersBorder,
}: ViewPage): Readonly<Record<string, unknown>> | undefined {
  const ui = {
    ...(csp === undefined ? {} : { csp }),
    ...(permissions === undefined
      ? {}
      : { permissions: Object.fromEntries(permissions.map((name) => [name, {}])) }),
    ...(domain === undefined ? {} : { domain }),
    ...(prefersBorder === undefined ? {} : { prefersBorder }),
  };
  return Object.keys(ui).length === 0 ? undefined : deepFreeze({ ui });
}
