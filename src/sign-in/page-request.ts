/** What a browser asks of the pages. */
export interface PageRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
}

/** Thrown where a page is not shown: the person sees a code, and the log has the reason. */
export class PageRefused extends Error {
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

/** Whether a form is of another page, even where a browser sends the cookie with it. */
export function isForeign({ headers }: PageRequest, issuer: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== new URL(issuer).origin) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

export function redirectTo(location: string): Response {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  return new Response(null, { status: 303, headers });
}

export function cookieIn(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(/;\s*/).find((each) => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
