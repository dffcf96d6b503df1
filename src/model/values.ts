/**
 * For whom a piece of content is meant, as it stands on the wire.
 *
 * @example
 * createAnnotations({ audience: [Role.USER] });
 */
export const Role = Object.freeze({ USER: 'user', ASSISTANT: 'assistant' } as const);

export type Role = (typeof Role)[keyof typeof Role];

/**
 * For whom a resource is, how much it matters and when it changed (spec: server/resources, Annotations).
 *
 * @example
 * resource.annotations = new Annotations(['user'], 0.8, '2025-01-12T15:00:58Z');
 */
export class Annotations {
  /** Who the content is for. Default: both. */
  audience: readonly Role[] | undefined;
  /** From 0 (least) to 1 (most). */
  priority: number | undefined;
  /** An ISO 8601 timestamp. */
  lastModified: string | undefined;

  /** Takes the values in order; `createAnnotations` takes them by name. */
  constructor(audience?: readonly Role[], priority?: number, lastModified?: string) {
    this.audience = audience;
    this.priority = priority;
    this.lastModified = lastModified;
  }
}

/**
 * Makes {@link Annotations}; changing `props` or its list afterwards has no effect on them.
 *
 * @example
 * createAnnotations({ audience: [Role.ASSISTANT], priority: 1 });
 */
export function createAnnotations(props: Partial<Annotations>): Annotations {
  return filled(new Annotations(), props);
}

/**
 * What a tool says about its own behaviour (spec: server/tools, Tool Annotations). Hints, never guarantees.
 *
 * @example
 * tool.toolAnnotations = createToolAnnotations({ readOnlyHint: true });
 */
export class ToolAnnotations {
  /** The name that clients show to people. */
  title: string | undefined;
  /** The tool changes nothing. */
  readOnlyHint: boolean | undefined;
  /** The tool may destroy or overwrite something. */
  destructiveHint: boolean | undefined;
  /** A repeated call changes nothing more. */
  idempotentHint: boolean | undefined;
  /** The tool interacts with systems outside of the server. */
  openWorldHint: boolean | undefined;
  /** Not part of MCP: the result is for the user as it is, without another turn of the model. */
  returnDirect: boolean | undefined;
}

/**
 * Makes {@link ToolAnnotations}; changing `props` afterwards has no effect on them.
 *
 * @example
 * createToolAnnotations({ title: 'Delete a task', destructiveHint: true });
 */
export function createToolAnnotations(props: Partial<ToolAnnotations>): ToolAnnotations {
  return filled(new ToolAnnotations(), props);
}

/**
 * An image that a client may show beside a name (spec: basic, Icons).
 *
 * @example
 * tool.icons = [createIcon({ src: 'https://example.com/task.png', sizes: ['48x48'] })];
 */
export class Icon {
  /** A URL or a data URI. The wire form requires it. */
  src: string | undefined;
  /** The media type of the image. */
  mimeType: string | undefined;
  /** Such as `48x48`, or `any` for scalable formats. */
  sizes: readonly string[] | undefined;
  /** The background it is made for. Default: any. */
  theme: 'light' | 'dark' | undefined;
}

/**
 * Makes an {@link Icon}; changing `props` or its list afterwards has no effect on it.
 *
 * @example
 * createIcon({ src: 'data:image/png;base64,iVBORw0KGgo=', theme: 'dark' });
 */
export function createIcon(props: Partial<Icon>): Icon {
  return filled(new Icon(), props);
}

/** Gives an object the members that its class declares, and lists of its own. */
function filled<Values extends object>(values: Values, props: Partial<Values>): Values {
  for (const name of Object.keys(values) as (keyof Values)[]) {
    const given: unknown = props[name];
    values[name] = (Array.isArray(given) ? [...(given as unknown[])] : given) as Values[keyof Values];
  }
  return values;
}
