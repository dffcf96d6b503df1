/** A browser of one person: it keeps cookies by path, follows redirects, and presses buttons. */
export class Browser {
  readonly visited: string[] = [];
  readonly #cookies: { host: string; path: string; name: string; value: string }[] = [];
  readonly #fetch: typeof fetch;

  constructor(ask: typeof fetch = fetch) {
    this.#fetch = ask;
  }

  async request(url: string, init: RequestInit = {}): Promise<Response> {
    const { host, pathname } = new URL(url);
    const cookie = this.#cookies
      .filter((each) => each.host === host && isBelow(pathname, each.path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const headers = { ...(cookie === '' ? {} : { cookie }), ...(init.headers as Record<string, string>) };
    this.visited.push(url);
    const response = await this.#fetch(url, { ...init, headers, redirect: 'manual' });
    for (const each of response.headers.getSetCookie()) this.#keep(host, pathname, each);
    return response;
  }

  /** Follows redirects until a page, or until one leads to what the browser does not open itself. */
  async open(url: string, until: (url: string) => boolean, init: RequestInit = {}): Promise<Page> {
    let next = url;
    let response = await this.request(next, init);
    for (let n = 0; n < 20; n += 1) {
      const location = response.headers.get('location');
      if (location === null)
        return { url: next, status: response.status, text: await response.text(), response };
      next = new URL(location, next).href;
      if (until(next)) return { url: next, status: 303, text: '', response };
      response = await this.request(next);
    }
    throw new Error('The redirects do not end');
  }

  /** Presses a button of the page, as a form would be sent. */
  async press(
    page: Page,
    step: 'allow' | 'deny',
    until: (url: string) => boolean,
    provider?: string,
  ): Promise<Page> {
    const action = new RegExp(`action="([^"]+/${step})"`).exec(page.text)?.[1];
    if (action === undefined) throw new Error(`There is no such button: ${String(page.status)} ${page.text}`);
    const url = new URL(action, page.url).href;
    return this.open(url, until, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin },
      body: new URLSearchParams(provider === undefined ? {} : { provider }).toString(),
    });
  }

  /** Deletes the cookies of a host. */
  forget(host: string): void {
    const others = this.#cookies.filter((each) => each.host !== host);
    this.#cookies.splice(0, this.#cookies.length, ...others);
  }

  #keep(host: string, path: string, header: string): void {
    const [pair = '', ...attributes] = header.split(/;\s*/);
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const given = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? path;
    const others = this.#cookies.filter(
      (each) => !(each.host === host && each.path === given && each.name === name),
    );
    this.#cookies.splice(0, this.#cookies.length, ...others);
    if (value !== '') this.#cookies.push({ host, path: given, name, value });
  }
}

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  readonly response: Response;
}

function isBelow(path: string, cookie: string): boolean {
  return path === cookie || path.startsWith(cookie.endsWith('/') ? cookie : `${cookie}/`);
}
