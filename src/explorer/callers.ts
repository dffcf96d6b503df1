import type { Explored } from '../application/explorer/explored-types.ts';
import type { AuthInfo } from '../index.ts';
import { isPlainObject, parseJson } from '../shared/json.ts';
import type { CallerFacts, NamedCaller } from './contract.ts';

/** The callers that a person can choose without making one up. */
export function namedCallers({ scopes, roles }: Pick<Explored, 'scopes' | 'roles'>): readonly NamedCaller[] {
  return [
    { id: 'everything', label: 'May do everything', subject: 'explorer', scopes, roles },
    { id: 'nothing', label: 'Signed in, nothing granted', subject: 'explorer', scopes: [], roles: [] },
  ];
}

/** @returns undefined for what is neither the id of a caller nor the facts of one */
export function readCaller(
  given: unknown,
  known: Pick<Explored, 'scopes' | 'roles'>,
): CallerFacts | undefined {
  if (isPlainObject(given)) return isCaller(given) ? given : undefined;
  const text = typeof given === 'string' && given !== '' ? given : 'everything';
  if (text.startsWith('{')) {
    const parsed = parseJson(text);
    return isPlainObject(parsed) && isCaller(parsed) ? parsed : undefined;
  }
  return namedCallers(known).find(({ id }) => id === text);
}

function isCaller(
  given: Readonly<Record<string, unknown>>,
): given is Readonly<Record<string, unknown>> & CallerFacts {
  const { scopes = [], roles = [], subject = '', tenant = '' } = given;
  return (
    [scopes, roles].every((list) => Array.isArray(list) && list.every((each) => typeof each === 'string')) &&
    [subject, tenant].every((text) => typeof text === 'string')
  );
}

/** As a verifier would have given it. */
export function authInfoOf({ scopes = [], roles = [], subject = 'explorer', tenant }: CallerFacts): AuthInfo {
  return {
    token: 'explorer',
    clientId: 'toolwright-explorer',
    scopes,
    extra: { sub: subject, roles, ...(tenant === undefined ? {} : { tenant }) },
  };
}
