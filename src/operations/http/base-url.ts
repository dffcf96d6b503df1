/** The URL of a path behind a base. Whether it is still below the base is for {@link isBelow} to say. */
export function joinUrl(base: URL, path: string): URL {
  return new URL(`${base.origin}${base.pathname.replace(/\/$/, '')}${path}`);
}

/** Whether a URL is of the origin of a base, and of its path or below it. */
export function isBelow(base: URL, url: URL): boolean {
  const start = base.pathname.replace(/\/?$/, '/');
  return url.origin === base.origin && url.username === '' && `${url.pathname}/`.startsWith(start);
}
