import { CALLBACK } from '../identity/client-id.ts';

const MOST_PAGES = 20;

/** Agrees on the page of the desk, and fills in the forms of the identity provider; up to the page of the client. */
export async function visit(address: URL, person: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let [url, body]: [URL, URLSearchParams | undefined] = [address, undefined];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const response: Response = await fetch(url, {
      redirect: 'manual',
      method: body === undefined ? 'GET' : 'POST',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body && { body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    [url, body] =
      location === null ? formOf(await response.text(), url, person) : [new URL(location, url), undefined];
    if (url.href.startsWith(CALLBACK)) return url.searchParams;
  }
  throw new Error(`${person} could not sign in at ${address.origin}`);
}

/** The first form of the page, filled in: that of the desk has a button alone. */
function formOf(html: string, page: URL, person: string): [URL, URLSearchParams] {
  const [, action] = /<form [^>]*action="([^"]+)"/.exec(html) ?? [];
  const [, prompt] = /name="prompt" value="(\w+)"/.exec(html) ?? [];
  if (action === undefined) throw new Error(`${page.href} has no form: ${html}`);
  const fields = prompt === undefined ? {} : { prompt, login: person, password: 'any' };
  return [new URL(action, page), new URLSearchParams(fields)];
}
