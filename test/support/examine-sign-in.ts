import type { AuthFinding } from '../../src/cli/doctor/auth/report.ts';
import { runInProcess } from './command-in-process.ts';

/** What `toolwright doctor auth` found. */
export interface ExaminedSignIn {
  readonly code: number;
  readonly checks: readonly AuthFinding[];
}

export async function examineSignIn(url: string, args: readonly string[] = []): Promise<ExaminedSignIn> {
  const { code, stdout } = await runInProcess(['doctor', 'auth', url, ...args, '--json']);
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly AuthFinding[] };
  return { code, checks };
}

/** What does not work, and what could be better. */
export const problems = ({ checks }: ExaminedSignIn): readonly AuthFinding[] =>
  checks.filter(({ state }) => state === 'problem' || state === 'advice');
