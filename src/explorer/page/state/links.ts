/** A place of the page: `#/tool/tasks/create` is `['tool', 'tasks', 'create']`. */
export type Route = readonly string[];

export function readRoute(text: string): Route {
  return text
    .replace(/^#?\//, '')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
}

export function linkTo(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

/** Undefined for what is not of the web: `javascript:` runs, and `data:` pretends to be a page. */
export function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}
