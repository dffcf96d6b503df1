/**
 * An image that a client may show beside a name (spec: basic, Icons).
 *
 * @example
 * tool.icons = [createIcon({ src: 'https://example.com/task.png', sizes: ['48x48'] })];
 */
export class Icon {
  /** A URL or a data URI. The wire form requires it. */
  src: string | undefined;
  mimeType: string | undefined;
  /** Such as `48x48`, or `any` for scalable formats. */
  sizes: readonly string[] | undefined;
  theme: 'light' | 'dark' | undefined;
}

/**
 * Makes an {@link Icon}; changing `props` or its list afterwards has no effect on it.
 *
 * @example
 * createIcon({ src: 'data:image/png;base64,iVBORw0KGgo=', theme: 'dark' });
 */
export function createIcon(props: Partial<Icon>): Icon {
  const icon = new Icon();
  icon.src = props.src;
  icon.mimeType = props.mimeType;
  icon.sizes = props.sizes && [...props.sizes];
  icon.theme = props.theme;
  return icon;
}
