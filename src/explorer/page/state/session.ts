import {
  type ApiFailure,
  CALLER_HEADER,
  type CallerFacts,
  type PATHS,
  TOKEN_HEADER,
} from '../../contract.ts';

const KEPT = 'toolwright-explorer-token';

/** What went wrong, as a person reads it. */
export interface Failure {
  readonly what: string;
  readonly why?: string;
  readonly fix?: string;
  readonly code?: string;
}

/** The token of this tab. The address has it once; afterwards neither the address nor the history does. */
export function takeToken(): string | undefined {
  const [, given] = /^#token=([^&]+)$/.exec(location.hash) ?? [];
  if (given !== undefined) {
    sessionStorage.setItem(KEPT, decodeURIComponent(given));
    history.replaceState(null, '', `${location.pathname}#/`);
  }
  return sessionStorage.getItem(KEPT) ?? undefined;
}

/** The headers that every request of the page has. */
export function ownHeaders(caller: string | undefined): Record<string, string> {
  return {
    [TOKEN_HEADER]: sessionStorage.getItem(KEPT) ?? '',
    ...(caller === undefined ? {} : { [CALLER_HEADER]: caller }),
  };
}

/** A header carries ASCII only. */
export function callerHeader(facts: CallerFacts): string {
  return JSON.stringify(facts).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export class ApiError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.what);
    this.failure = failure;
  }
}

interface ApiRequest {
  readonly caller?: string | undefined;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** @throws ApiError that says what the server answered, or that it could not be reached */
export async function askApi(
  path: (typeof PATHS)[keyof typeof PATHS],
  { caller, query = {}, body, signal }: ApiRequest = {},
): Promise<Response> {
  const url = new URL(path, location.href);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  const headers = ownHeaders(caller);
  const init: RequestInit =
    body === undefined
      ? { headers }
      : {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        };
  const response = await fetch(url, { ...init, ...(signal && { signal }) }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause;
    throw new ApiError(unreachable());
  });
  if (!response.ok) throw new ApiError(await refusal(response));
  return response;
}

export function unreachable(): Failure {
  return {
    what: 'The server does not answer.',
    why: 'It was stopped, or it starts again.',
    fix: 'Start it, and open the address that the terminal prints.',
  };
}

async function refusal(response: Response): Promise<Failure> {
  const answer = (await response.json().catch(() => undefined)) as Partial<ApiFailure> | undefined;
  if (response.status === 401)
    return {
      what: 'This page has no valid token.',
      why: 'Each start of the server has its own token, and this tab has none or that of an earlier start.',
      fix: 'Open the address that the terminal prints; it ends with #token=…',
      code: '401',
    };
  return {
    what: answer?.error?.message ?? `The server answered ${response.status} ${response.statusText}.`,
    code: answer?.error?.code ?? String(response.status),
  };
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return error.failure;
  const { message, code } = error as { readonly message?: unknown; readonly code?: unknown };
  const text = typeof message === 'string' ? message : String(error);
  // The errors of the framework have their reasons in lines of their own
  const [what = '', ...rest] = text.split('\n').map((line) => line.trim());
  const partOf = (name: string): string | undefined =>
    rest
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  const why = partOf('why');
  const fix = partOf('fix');
  return {
    what,
    ...(why === undefined ? {} : { why }),
    ...(fix === undefined ? {} : { fix }),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
  };
}
