import type { KnownClient } from '../../../profiles/clients.ts';
import { visibleLine } from '../../../shared/visible-text.ts';
import type { Finding } from '../finding.ts';
import type { Asker } from '../../../client/sign-in/ask.ts';

/** A finding about a sign-in, and the clients that it concerns. */
export interface AuthFinding extends Finding {
  readonly about: Step;
  readonly clients: readonly string[];
}

/** A server, looked at as one client looks at it. */
export interface Examination {
  /** The URL of the endpoint, as it was typed. */
  readonly url: string;
  readonly id: string;
  readonly client: KnownClient;
  readonly asker: Asker;
  readonly report: Report;
}

const MAX_SHOWN_CHARS = 160;

/** Collects what is found for one client. */
export class Report {
  readonly findings: AuthFinding[] = [];
  readonly #clients: readonly string[];

  constructor(id: string) {
    this.#clients = [id];
  }

  ok(about: Step, found: string): void {
    this.#add({ about, state: 'ok', found });
  }

  note(about: Step, found: string): void {
    this.#add({ about, state: 'note', found });
  }

  advise(about: Step, found: string, fix: string): void {
    this.#add({ about, state: 'advice', found, fix });
  }

  problem(about: Step, found: string, fix: string): void {
    this.#add({ about, state: 'problem', found, fix });
  }

  #add(finding: Omit<AuthFinding, 'clients'>): void {
    this.findings.push({ ...finding, clients: this.#clients });
  }
}

const STEPS = [
  'connection',
  'challenge',
  'resource metadata',
  'server metadata',
  'cors',
  'registration',
  'authorize',
  'wrong redirect',
  'token',
  'sign-in',
  'tokens',
  'list',
  'refresh',
  'revocation',
  'client',
] as const;

/** What was looked at. */
export type Step = (typeof STEPS)[number];

/** The findings of several clients, each of them once, in the order of the steps. */
export function joinFindings(reports: readonly Report[]): readonly AuthFinding[] {
  const joined = new Map<string, AuthFinding>();
  for (const finding of reports.flatMap(({ findings }) => findings)) {
    const { clients, ...what } = finding;
    const key = JSON.stringify(what);
    joined.set(key, { ...what, clients: [...(joined.get(key)?.clients ?? []), ...clients] });
  }
  const place = ({ about }: AuthFinding): number => STEPS.indexOf(about);
  return [...joined.values()].sort((one, other) => place(one) - place(other));
}

/** A text of a server, in one line that is not long. */
export function quote(text: unknown): string {
  const line = visibleLine(
    typeof text === 'string' ? text : text === undefined ? 'nothing' : JSON.stringify(text),
  );
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line;
}
