import { deepFreeze } from '../../shared/deep-freeze.ts';
import {
  oneOf,
  either,
  filledText,
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

/** The page of a view, as one of the actions that have it declares it. */
export interface ViewPage {
  /** A whole HTML document; a function gives the one of the moment. */
  readonly html: string | (() => string);
  /** Default: the last part of the URI. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly csp?: ViewOrigins;
  readonly permissions?: readonly ViewPermission[];
  /** The origin that the host gives the view, where the host knows such origins. */
  readonly domain?: string;
  readonly prefersBorder?: boolean;
}

/** Who may call an action: the model, the view, or both. */
export type ViewCaller = 'model' | 'app';

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

const ORIGIN = /^(?:https?|wss?):\/\/(?:\*\.)?[\w.-]+(?::\d+)?$/;

const origins = listOf(
  rule('an origin', (value) => typeof value === 'string' && ORIGIN.test(value)),
  "a list of origins: ['https://api.example.com']",
);

const page = either(
  rule(
    'a whole HTML document',
    (value) => typeof value === 'string' && /^\s*<(?:!doctype html|html)\b/i.test(value),
  ),
  rule('a function that gives one', (value) => typeof value === 'function'),
);

export const viewRule = objectOf<SaidView>({
  uri: viewUri,
  html: page,
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

/** The `_meta` of a tool (MCP Apps 2026-01-26: Tool Metadata), with the name that older hosts read. */
export function toolMeta({ uri, visibility }: SaidView): Readonly<Record<string, unknown>> {
  return deepFreeze({
    ui: {
      ...(uri === undefined ? {} : { resourceUri: uri }),
      ...(visibility === undefined ? {} : { visibility: [...visibility] }),
    },
    ...(uri === undefined ? {} : { 'ui/resourceUri': uri }),
  });
}

/** The `_meta` of a view, the same where it is listed and where it is read. */
export function pageMeta({
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
