import type { FindingLevel } from '../output/levels.ts';
import type { ClientRuleCode } from './codes.ts';
import { sayOrigin } from './facts.ts';
import { HINT_RULES } from './hint-rules.ts';
import type { ClientRule, Found, JudgedClient, JudgedServer } from './judged.ts';
import { NAME_RULES } from './name-rules.ts';
import { RESULT_RULES } from './result-rules.ts';
import { SCHEMA_RULES } from './schema-rules.ts';
import { SERVING_RULES } from './serving-rules.ts';
import { TEXT_RULES } from './text-rules.ts';

/** What a client or directory would not take as it is. */
export interface ClientFinding {
  readonly code: ClientRuleCode;
  readonly level: FindingLevel;
  /** The id of the client. */
  readonly client: string;
  readonly where: string;
  readonly what: string;
  /** Who says so, and when. */
  readonly why?: string;
  readonly fix: string;
}

export const CLIENT_RULES: readonly ClientRule[] = [
  ...HINT_RULES,
  ...NAME_RULES,
  ...TEXT_RULES,
  ...SCHEMA_RULES,
  ...RESULT_RULES,
  ...SERVING_RULES,
];

/** All that is to be said of a server for one client, in the order of the rules. */
export function judgeFor(server: JudgedServer, client: JudgedClient): readonly ClientFinding[] {
  return CLIENT_RULES.flatMap(({ code, fix, find }) =>
    find(server, client).map((found) => ({
      ...{ code, level: readLevel(found), client: client.id },
      ...{ where: found.where, what: found.what },
      ...(found.fact === undefined ? {} : { why: sayOrigin(found.fact) }),
      fix: found.fix ?? fix,
    })),
  );
}

/** What only others say is never a reason to fail. */
function readLevel({ level, fact }: Found): FindingLevel {
  return level === 'problem' && fact?.sure === 'reported' ? 'advice' : level;
}
